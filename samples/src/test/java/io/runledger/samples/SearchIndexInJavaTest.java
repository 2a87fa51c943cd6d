package io.runledger.samples;

import static io.runledger.samples.SearchIndexInJava.INDEX;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.runledger.coroutines.ObservedJob;
import io.runledger.coroutines.WorkerObserver;
import io.runledger.coroutines.worker.RunledgerWorker;
import io.runledger.model.job.JobRequest;
import io.runledger.samples.SearchIndexInJava.Page;
import io.runledger.test.LedgerExtension;
import io.runledger.test.TestLedger;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(LedgerExtension.class)
class SearchIndexInJavaTest {
    @Test
    void pagesThatAreReadyTogetherAreIndexedInOneRequest(TestLedger ledger) throws Exception {
        var client = ledger.client();
        client.definitions().declare(INDEX);
        client.jobs()
                .enqueueAll(IntStream.range(0, 50)
                        .mapToObj(n -> JobRequest.of(INDEX, new Page("https://example.org/" + n, "page " + n)))
                        .toList());
        var requests = new CopyOnWriteArrayList<List<Page>>();
        var indexed = new CountDownLatch(50);
        var observer = new WorkerObserver() {
            @Override
            public void succeeded(ObservedJob job, Duration elapsed) {
                indexed.countDown();
            }
        };

        var worker = RunledgerWorker.builder(client)
                .handlers(SearchIndexInJava.handlers(pages -> {
                    requests.add(pages);
                    return Set.of();
                }))
                .observe(observer)
                .start();
        try {
            assertTrue(indexed.await(1, TimeUnit.MINUTES));
        } finally {
            worker.close();
        }

        assertEquals(List.of(50), requests.stream().map(List::size).toList());
    }
}

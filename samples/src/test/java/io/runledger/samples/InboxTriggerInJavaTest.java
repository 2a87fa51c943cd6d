package io.runledger.samples;

import static io.runledger.samples.InboxTriggerInJava.IMPORT;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.runledger.coroutines.Handlers;
import io.runledger.coroutines.ObservedJob;
import io.runledger.coroutines.WorkerObserver;
import io.runledger.coroutines.worker.RunledgerWorker;
import io.runledger.model.handler.JobOutcome;
import io.runledger.model.ledger.Scope;
import io.runledger.model.schedule.FireOutcome;
import io.runledger.test.LedgerExtension;
import io.runledger.test.TestLedger;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

@ExtendWith(LedgerExtension.class)
class InboxTriggerInJavaTest {
    @Test
    void aNewFileIsImported(TestLedger ledger, @TempDir Path inbox) throws Exception {
        var client = ledger.client();
        client.definitions().declare(IMPORT);
        Files.writeString(inbox.resolve("a.csv"), "1,2,3");
        var imported = new CompletableFuture<String>();
        var handlers = Handlers.builder()
                .blocking(IMPORT, job -> JobOutcome.succeeded(job.payload().path()))
                .build();
        var observer = new WorkerObserver() {
            @Override
            public void succeeded(ObservedJob job, Duration elapsed) {
                imported.complete(job.jobType());
            }
        };

        var watching = InboxTriggerInJava.watching(
                RunledgerWorker.builder(client).handlers(handlers).observe(observer), inbox);
        var worker = watching.start();
        try {
            assertEquals("inbox.import", imported.get(1, TimeUnit.MINUTES));
        } finally {
            worker.close();
        }

        var fires = client.schedules().fires(Scope.global(), "new-files").items();
        assertTrue(fires.stream()
                .anyMatch(fire ->
                        fire.outcome() == FireOutcome.FIRED && fire.dedupKey().equals("a.csv")));
        assertTrue(client.verify().isSound());
    }
}

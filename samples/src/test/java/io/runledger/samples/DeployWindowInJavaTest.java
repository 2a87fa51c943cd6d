package io.runledger.samples;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.runledger.coroutines.Handlers;
import io.runledger.model.fleet.WorkerSelection;
import io.runledger.model.handler.JobOutcome;
import io.runledger.model.job.JobType;
import io.runledger.test.LedgerExtension;
import io.runledger.test.TestLedger;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(LedgerExtension.class)
class DeployWindowInJavaTest {
    private static final JobType<String> PRINT = JobType.of("labels.print", String.class);

    @Test
    void workersOfTheRegionWaitDuringTheChangeAndAreRetiredAfterIt(TestLedger ledger) throws Exception {
        var client = ledger.client();
        var printed = Map.of("first", new CompletableFuture<String>(), "second", new CompletableFuture<String>());
        var handlers = Handlers.builder()
                .blocking(PRINT, job -> {
                    printed.get(job.payload()).complete("printed");
                    return JobOutcome.succeeded();
                })
                .build();
        client.definitions().sync(handlers.jobTypes());
        var window = new DeployWindowInJava(client);
        var worker = window.regionalWorker(handlers, "eu", "4.1");
        client.jobs().enqueue(PRINT, "first");
        printed.get("first").get(1, TimeUnit.MINUTES);

        window.during("eu", "Deploy 4.2", () -> {
            client.jobs().enqueue(PRINT, "second");
            assertTrue(window.overview().get(0).endsWith("[eu] 4.1: drained, 0 of 32"), window.overview()::toString);
            window.during("eu", "Patch", () -> {});
            assertEquals(1, client.workers().standingOrders().size());
        });
        printed.get("second").get(1, TimeUnit.MINUTES);

        client.workers().drain(WorkerSelection.all(), "Forgotten.");
        assertEquals(1, window.allGoOn("Nobody needs it."));
        assertEquals(1, window.retire("eu", "4.2 is out").size());
        assertNotNull(worker.ended().get(1, TimeUnit.MINUTES).stopOrder());
    }
}

package io.runledger.coroutines;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.runledger.coroutines.worker.RunledgerWorker;
import io.runledger.exposed.RunledgerClient;
import io.runledger.model.fleet.Worker;
import io.runledger.model.fleet.WorkerSelection;
import io.runledger.postgres.TestDatabase;
import io.runledger.postgres.TestPostgres;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class FleetTest {
    @Test
    void aFleetIsDrainedAndStoppedThroughTheDatabase() throws Exception {
        try (TestDatabase database = TestPostgres.shared().freshDatabase()) {
            var client = RunledgerClient.create(database.dataSource());
            client.migrate();
            var config = WorkerConfig.builder()
                    .workerId("w1")
                    .labels("eu", "gpu")
                    .applicationVersion("4.2")
                    .build();
            var worker = RunledgerWorker.builder(client).config(config).start();
            var start = System.nanoTime();
            while (client.workers().list().isEmpty()) {
                assertTrue(
                        System.nanoTime() - start < TimeUnit.MINUTES.toNanos(1),
                        "Waited in vain until the worker came.");
                Thread.onSpinWait();
            }
            var gpu = WorkerSelection.labelled("gpu");

            client.workers().drain(gpu, "Maintenance.");
            Worker drained = client.workers()
                    .awaitDrained(gpu, Duration.ofMinutes(1))
                    .join()
                    .get(0);
            var given = client.workers().stop(gpu, "Over.");
            WorkerReport report = worker.ended().get(1, TimeUnit.MINUTES);

            assertEquals(Set.of("eu", "gpu"), drained.labels());
            assertEquals("4.2", drained.applicationVersion());
            assertNotNull(report.stopOrder());
            assertEquals(given.order(), report.stopOrder());
        }
    }
}

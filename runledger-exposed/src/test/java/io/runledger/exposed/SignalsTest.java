package io.runledger.exposed;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.runledger.exposed.signal.Signal;
import io.runledger.model.job.JobRequest;
import io.runledger.model.job.JobType;
import io.runledger.postgres.TestPostgres;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class SignalsTest {
    @Test
    @SuppressWarnings("try")
    void aServiceHearsThatJobsAreDue() throws Exception {
        try (var database = TestPostgres.shared().freshDatabase()) {
            var runledger = RunledgerClient.create(database.dataSource());
            runledger.migrate();
            runledger.definitions().declare(JobType.of("mail", Map.class));

            var listening = new CompletableFuture<Void>();
            var due = new CompletableFuture<String>();
            try (var subscription = runledger.signals().subscribe(signal -> {
                if (signal instanceof Signal.Resumed) {
                    listening.complete(null);
                } else if (signal instanceof Signal.DueJobs jobs) {
                    due.complete(jobs.jobType());
                }
            })) {
                listening.get(1, TimeUnit.MINUTES);
                assertTrue(runledger.signals().isListening());
                runledger.jobs().enqueue(JobRequest.builder("mail", Map.of()).build());
                assertEquals("mail", due.get(1, TimeUnit.MINUTES));
            }

            assertTrue(runledger.signals().isEnabled());
            var silent = RunledgerClient.builder(database.dataSource())
                    .notifications(false)
                    .build();
            assertFalse(silent.signals().isEnabled());
        }
    }
}

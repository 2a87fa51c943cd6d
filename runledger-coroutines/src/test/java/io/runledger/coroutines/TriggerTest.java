package io.runledger.coroutines;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.runledger.coroutines.worker.RunledgerWorker;
import io.runledger.exposed.RunledgerClient;
import io.runledger.exposed.catalog.MigrationBundle;
import io.runledger.model.handler.JobOutcome;
import io.runledger.model.job.JobType;
import io.runledger.model.schedule.PollResult;
import io.runledger.model.workflow.WorkflowRequest;
import io.runledger.postgres.DatabaseTemplate;
import io.runledger.postgres.TestPostgres;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** How a trigger that starts workflows reads in Java. */
class TriggerTest {
    static final JobType<String> IMPORT = JobType.of("import", String.class);

    static PollResult found(String file) {
        var workflow = WorkflowRequest.builder("import").context(Map.of("file", file));
        workflow.job("read", IMPORT, file);
        return PollResult.fire(file, workflow.build());
    }

    @Test
    @SuppressWarnings("try") // The worker is only closed.
    void aTriggerStartsAWorkflowWithAContextThatItsStepsRead() throws Exception {
        var read = new CompletableFuture<String>();
        var handlers = Handlers.builder()
                .blocking(IMPORT, job -> {
                    read.complete(job.runContext("file", String.class).orElse("nothing"));
                    return JobOutcome.succeeded();
                })
                .build();
        try (var database = TestPostgres.shared()
                .freshDatabase(new DatabaseTemplate(
                        "coroutines " + MigrationBundle.fingerprint(),
                        fresh -> RunledgerClient.create(fresh.dataSource()).migrate()))) {
            var client = RunledgerClient.create(database.dataSource());
            client.definitions().sync(List.of(IMPORT));

            try (var worker = RunledgerWorker.builder(client)
                    .handlers(handlers)
                    .trigger("files", Duration.ofHours(1), poll -> found("a.csv"))
                    .start()) {
                assertEquals("a.csv", read.get(60, TimeUnit.SECONDS));
            }
        }
    }
}

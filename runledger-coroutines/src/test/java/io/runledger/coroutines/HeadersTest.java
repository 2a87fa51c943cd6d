package io.runledger.coroutines;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.runledger.coroutines.worker.RunledgerWorker;
import io.runledger.exposed.RunledgerClient;
import io.runledger.model.handler.JobOutcome;
import io.runledger.model.job.JobRequest;
import io.runledger.model.job.JobType;
import io.runledger.model.ledger.Scope;
import io.runledger.model.schedule.ScheduleRequest;
import io.runledger.model.value.HeaderSource;
import io.runledger.model.workflow.WorkflowRequest;
import io.runledger.postgres.TestPostgres;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** How headers are set and read in Java. */
class HeadersTest {
    record Mail(String to) {}

    static final JobType<Mail> SEND = JobType.of("mail.send", Mail.class);

    /** A correlation id for jobs, and none for anything else. */
    static final class Correlation implements HeaderSource {
        @Override
        public Map<String, String> headers(Target target) {
            return target.kind() == Kind.JOB ? Map.of("correlation", "c-1") : Map.of();
        }
    }

    @Test
    void requestsRunsAndSchedulesHaveHeadersAndHandlersReadThem() throws Exception {
        try (var database = TestPostgres.shared().freshDatabase()) {
            var client = RunledgerClient.builder(database.dataSource())
                    .headers(new Correlation())
                    .headers(target -> Map.of("kind", target.kind().name()))
                    .maxHeadersBytes(1 << 12)
                    .build();
            client.migrate();
            client.definitions().declare(SEND);
            var seen = new CompletableFuture<Map<String, String>>();
            var observed = new CompletableFuture<Map<String, String>>();
            var worker = RunledgerWorker.builder(client)
                    .handlers(Handlers.builder()
                            .blocking(SEND, job -> {
                                seen.complete(job.headers());
                                return JobOutcome.succeeded();
                            })
                            .build())
                    .observe(new WorkerObserver() {
                        @Override
                        public void started(ObservedJob job) {
                            observed.complete(job.headers());
                        }
                    })
                    .start();
            try (worker) {
                client.jobs()
                        .enqueue(
                                SEND,
                                new Mail("a@b.org"),
                                mail -> mail.header("locale", "de").headers(Map.of("tenant", "t1")));

                var expected = Map.of("locale", "de", "tenant", "t1", "correlation", "c-1", "kind", "JOB");
                assertEquals(expected, seen.get(30, TimeUnit.SECONDS));
                assertEquals(expected, observed.get(30, TimeUnit.SECONDS));
            }

            var workflow = WorkflowRequest.builder("mailing").header("locale", "de");
            workflow.job("send", step -> step.runs(SEND, new Mail("c@d.org")).header("n", "1"));
            var run = client.workflows().enqueue(workflow.build()).runId();
            assertEquals(
                    Map.of("locale", "de", "kind", "RUN"),
                    client.workflows().get(Scope.everything(), run).headers());

            var schedule = client.schedules()
                    .upsert(ScheduleRequest.builder("daily", SEND, new Mail("e@f.org"))
                            .every(Duration.ofDays(1))
                            .headers(Map.of("locale", "en"))
                            .build());
            assertEquals(Map.of("locale", "en", "kind", "SCHEDULE"), schedule.headers());
            assertEquals(
                    Map.of("a", "1"),
                    JobRequest.builder("mail.send", null)
                            .header("a", "1")
                            .build()
                            .headers());
        }
    }
}

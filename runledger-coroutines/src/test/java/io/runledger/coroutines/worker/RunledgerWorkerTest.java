package io.runledger.coroutines.worker;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import io.runledger.coroutines.Handlers;
import io.runledger.coroutines.Mail;
import io.runledger.coroutines.ObservedJob;
import io.runledger.coroutines.WorkerConfig;
import io.runledger.coroutines.WorkerObserver;
import io.runledger.coroutines.WorkerReport;
import io.runledger.exposed.RunledgerClient;
import io.runledger.exposed.catalog.MigrationBundle;
import io.runledger.model.handler.JobOutcome;
import io.runledger.model.job.DeadLetter;
import io.runledger.model.job.JobStatus;
import io.runledger.model.job.JobType;
import io.runledger.model.json.Json;
import io.runledger.model.ledger.Scope;
import io.runledger.postgres.DatabaseTemplate;
import io.runledger.postgres.TestDatabase;
import io.runledger.postgres.TestPostgres;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** How a worker is run in Java. */
@SuppressWarnings("try") // The worker is only closed.
class RunledgerWorkerTest {
    record Mail(String to) {}

    static final JobType<Mail> SEND = JobType.of("mail.send", Mail.class);

    private TestDatabase database;
    private RunledgerClient client;

    @BeforeEach
    void ledger() {
        database = TestPostgres.shared()
                .freshDatabase(new DatabaseTemplate(
                        "coroutines " + MigrationBundle.fingerprint(),
                        fresh -> RunledgerClient.create(fresh.dataSource()).migrate()));
        client = RunledgerClient.create(database.dataSource());
        client.definitions().sync(List.of(SEND));
    }

    @AfterEach
    void drop() {
        database.close();
    }

    @Test
    void aWorkerRunsUntilItIsClosed() throws Exception {
        CompletableFuture<String> sent = new CompletableFuture<>();
        CompletableFuture<Duration> told = new CompletableFuture<>();
        Handlers handlers = Handlers.builder()
                .blocking(SEND, job -> {
                    sent.complete(job.payload().to());
                    return JobOutcome.succeeded("sent");
                })
                .build();
        WorkerObserver metrics = new WorkerObserver() {
            @Override
            public void succeeded(ObservedJob job, Duration elapsed) {
                told.complete(elapsed);
            }
        };

        var id = client.jobs().enqueue(SEND, new Mail("ada@example.org")).id();
        try (var worker = RunledgerWorker.builder(client)
                .handlers(handlers)
                .config(config -> config.workerId("mailer-1")
                        .maxConcurrency(8)
                        .typeLimit(SEND, 4)
                        .shutdownGrace(Duration.ofSeconds(5))
                        .retention(JobStatus.SUCCEEDED, Duration.ofDays(30))
                        .runRetention(Duration.ofDays(90)))
                .observe(metrics)
                .start()) {
            assertEquals("ada@example.org", sent.get(30, TimeUnit.SECONDS));
            told.get(30, TimeUnit.SECONDS);
        }

        var job = client.jobs().get(Scope.everything(), id);
        assertEquals(JobStatus.SUCCEEDED, job.status());
        assertEquals(Json.of("\"sent\""), job.output());
    }

    @Test
    void whatIsForgottenIsTheConfigsToSay() {
        var defaults = WorkerConfig.defaults();
        assertEquals(Duration.ofDays(30), defaults.retention().get(JobStatus.SUCCEEDED));
        assertNull(defaults.retention().get(JobStatus.DEAD_LETTERED));
        assertEquals(Duration.ofDays(90), defaults.fireRetention());

        var own = WorkerConfig.builder()
                .keepEverything()
                .retention(JobStatus.CANCELED, Duration.ofDays(7))
                .pollRetention(Duration.ofDays(400))
                .build();
        assertEquals(Map.of(JobStatus.CANCELED, Duration.ofDays(7)), own.retention());
        assertEquals(Duration.ofDays(400), own.pollRetention());
        assertNull(own.fireRetention());
    }

    @Test
    void aHookIsHandedWhatGaveUp() throws Exception {
        CompletableFuture<DeadLetter> pager = new CompletableFuture<>();
        CompletableFuture<DeadLetter> desk = new CompletableFuture<>();

        var id = client.jobs().enqueue(SEND, new Mail("nobody")).id();
        try (var worker = RunledgerWorker.builder(client)
                .handlers(Handlers.builder()
                        .blocking(SEND, job -> JobOutcome.failed("mail.no_address", "The mail has no address."))
                        .build())
                .config(WorkerConfig.builder()
                        .hookTimeout(Duration.ofSeconds(20))
                        .build())
                .onDeadLetter("pager", letter -> pager.complete(letter))
                .onDeadLetter("desk", List.of(SEND), letter -> desk.complete(letter))
                .start()) {
            assertEquals(id, pager.get(30, TimeUnit.SECONDS).jobId());
            assertEquals("mail.no_address", desk.get(30, TimeUnit.SECONDS).errorCode());
        }
    }

    @Test
    void stoppingGivesAReport() throws Exception {
        var worker = RunledgerWorker.builder(client)
                .handlers(Handlers.builder()
                        .blocking(SEND, job -> JobOutcome.succeeded())
                        .build())
                .config(WorkerConfig.fromEnv(Map.of("JOBS_WORKER_ID", "mailer-2")))
                .start();

        WorkerReport report = worker.stop().get(30, TimeUnit.SECONDS);

        assertEquals("mailer-2", report.workerId());
        assertEquals(0, report.released());
        assertEquals(List.of(), report.abandoned());
    }

    @Test
    void interceptorsWrapHandlersOfEveryKind() throws Exception {
        CompletableFuture<String> seen = new CompletableFuture<>();
        CompletableFuture<Void> done = new CompletableFuture<>();

        client.jobs().enqueue(SEND, new Mail("ada@example.org"));
        try (var worker = RunledgerWorker.builder(client)
                .handlers(Handlers.builder()
                        .async(SEND, job -> CompletableFuture.completedFuture(JobOutcome.canceled("full")))
                        .build())
                .interceptAsync((job, next) -> next.get().thenApply(outcome -> {
                    seen.complete(job.jobType() + " " + outcome.kind());
                    return JobOutcome.succeeded();
                }))
                .observe(new WorkerObserver() {
                    @Override
                    public void succeeded(ObservedJob job, Duration elapsed) {
                        done.complete(null);
                    }
                })
                .start()) {
            assertEquals("mail.send CANCELED", seen.get(30, TimeUnit.SECONDS));
            done.get(30, TimeUnit.SECONDS);
        }
    }
}

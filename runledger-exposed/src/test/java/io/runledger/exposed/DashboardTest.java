package io.runledger.exposed;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.runledger.exposed.worker.WorkerLedger;
import io.runledger.model.failure.JobFailure;
import io.runledger.model.job.DeadLetterCause;
import io.runledger.model.job.DeadLetterCauses;
import io.runledger.model.job.DeadLetterReason;
import io.runledger.model.job.JobRequest;
import io.runledger.model.job.JobSelection;
import io.runledger.model.job.JobStatus;
import io.runledger.model.job.SelectionPreview;
import io.runledger.model.json.Json;
import io.runledger.model.lease.ClaimRequest;
import io.runledger.model.lease.Verdict;
import io.runledger.model.ledger.DatabaseReport;
import io.runledger.model.ledger.Scope;
import io.runledger.model.metrics.DurationHistogram;
import io.runledger.model.metrics.FailureCause;
import io.runledger.model.metrics.Throughput;
import io.runledger.model.schedule.ScheduleRequest;
import io.runledger.postgres.TestPostgres;
import java.sql.SQLException;
import java.time.Duration;
import java.time.ZoneId;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

class DashboardTest {
    private static final Scope EVERYTHING = Scope.everything();

    @Test
    void aConsoleShowsWhatFailedAndRequeuesIt() throws SQLException {
        try (var database = TestPostgres.shared().freshDatabase()) {
            var runledger = RunledgerClient.create(database.dataSource());
            runledger.migrate();
            try (var connection = database.connect();
                    var statement = connection.createStatement()) {
                statement.execute("INSERT INTO runledger.job_definitions (job_type) VALUES ('mail')");
            }
            for (int order = 1; order <= 3; order++) {
                giveUp(runledger, "Order " + order + " has no address.");
            }

            DeadLetterCauses causes = runledger.jobs().deadLetterCauses(EVERYTHING);
            assertTrue(causes.isComplete());
            assertEquals(causes, runledger.jobs().deadLetterCauses(EVERYTHING, 10));
            DeadLetterCause cause = causes.causes().get(0);
            assertEquals("Order <number> has no address.", cause.message());
            assertEquals(3, cause.count());

            JobSelection selection = cause.selection();
            assertEquals(
                    selection,
                    JobSelection.ofType("mail").failedWith("mail.address").failedWithMessage(cause.message()));
            SelectionPreview preview = runledger.jobs().preview(EVERYTHING, selection, Set.of(JobStatus.DEAD_LETTERED));
            assertEquals(3, preview.count());
            assertFalse(preview.isAtLeast());
            assertEquals("mail.address", preview.sample().get(0).lastErrorCode());
            var page = runledger
                    .jobs()
                    .list(EVERYTHING, query -> query.errorCode("mail.address").idempotencyKey("k"));
            assertEquals(List.of(), page.items());

            assertEquals(3, runledger.jobs().requeueAllDeadLetters(EVERYTHING, selection, "The addresses are there."));
            assertEquals(0, runledger.jobs().deadLetterCauses(EVERYTHING).read());
        }
    }

    @Test
    void aDashboardReadsNumbers() throws SQLException {
        try (var database = TestPostgres.shared().freshDatabase()) {
            var runledger = RunledgerClient.create(database.dataSource());
            runledger.migrate();
            try (var connection = database.connect();
                    var statement = connection.createStatement()) {
                statement.execute("INSERT INTO runledger.job_definitions (job_type) VALUES ('mail')");
            }
            giveUp(runledger, "Down.");
            var metrics = runledger.metrics();

            Throughput throughput = metrics.throughput(EVERYTHING);
            assertEquals(
                    1,
                    throughput.points().stream()
                            .mapToLong(Throughput.Point::deadLettered)
                            .sum());
            assertEquals(
                    Duration.ofSeconds(10),
                    metrics.throughput(EVERYTHING, Duration.ofMinutes(10)).bucket());
            assertEquals(
                    Duration.ofHours(2),
                    metrics.throughput(EVERYTHING, Duration.ofDays(7), 84).bucket());
            FailureCause failure = metrics.failureCauses(EVERYTHING).get(0);
            assertEquals("mail.address", failure.errorCode());
            assertEquals(
                    1, metrics.failureCauses(EVERYTHING, Duration.ofHours(2), 5).size());
            DurationHistogram durations = metrics.durations(EVERYTHING, "mail");
            assertEquals(1, durations.attempts());
            assertEquals(DurationHistogram.BOUNDS.size(), durations.buckets().size());
            assertEquals(0, metrics.durations(EVERYTHING, "call", 10).attempts());

            DatabaseReport report = runledger.database();
            assertTrue(report.ledgerBytes() < report.databaseBytes());
            assertTrue(report.connections() <= report.maxConnections());
        }
    }

    @Test
    void aScheduleIsDescribedInWords() {
        assertEquals("at 09:30 on Monday to Friday", Schedules.describe("30 9 * * 1-5"));
        assertEquals("at 09:30 every day (Asia/Tokyo)", Schedules.describe("30 9 * * *", ZoneId.of("Asia/Tokyo")));
        assertEquals("every 15 minutes", Schedules.describe(Duration.ofMinutes(15)));
    }

    @Test
    void aStoredScheduleIsDescribedInWords() throws SQLException {
        try (var database = TestPostgres.shared().freshDatabase()) {
            var runledger = RunledgerClient.create(database.dataSource());
            runledger.migrate();
            try (var connection = database.connect();
                    var statement = connection.createStatement()) {
                statement.execute("INSERT INTO runledger.job_definitions (job_type) VALUES ('mail')");
            }
            var nightly = ScheduleRequest.builder("nightly", "mail", Json.NULL)
                    .cron("0 3 * * *")
                    .zone("Europe/Berlin")
                    .build();
            var often = ScheduleRequest.builder("often", "mail", Json.NULL)
                    .every(Duration.ofSeconds(30))
                    .build();

            assertEquals(
                    "at 03:00 every day (Europe/Berlin)",
                    Schedules.describe(runledger.schedules().upsert(nightly)));
            assertEquals(
                    "every 30 seconds", Schedules.describe(runledger.schedules().upsert(often)));
        }
    }

    private static void giveUp(RunledgerClient runledger, String message) {
        runledger.jobs().enqueue(JobRequest.builder("mail", Map.of()).build());
        var leases = WorkerLedger.of(runledger).leases();
        var lease = leases.claim(ClaimRequest.of(List.of("mail"), "worker", Duration.ofMinutes(1), 1))
                .get(0)
                .lease();
        var failure = JobFailure.terminal("mail.address", message);
        leases.settle(Map.of(lease, new Verdict.DeadLetter(failure, DeadLetterReason.FAILURE_KIND_NON_RETRYABLE)));
    }
}

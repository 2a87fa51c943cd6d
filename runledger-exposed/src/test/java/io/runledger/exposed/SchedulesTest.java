package io.runledger.exposed;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.runledger.exposed.worker.WorkerLedger;
import io.runledger.model.error.NotFoundException;
import io.runledger.model.job.JobType;
import io.runledger.model.ledger.Scope;
import io.runledger.model.schedule.OverlapPolicy;
import io.runledger.model.schedule.Schedule;
import io.runledger.model.schedule.ScheduleRequest;
import io.runledger.postgres.TestPostgres;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import org.junit.jupiter.api.Test;

class SchedulesTest {
    record Report(String kind) {}

    private static final JobType<Report> REPORT = JobType.of("report", Report.class);
    private static final Instant PAST = Instant.parse("2026-01-01T00:00:00Z");

    @Test
    void aServiceSavesFiresAndChangesItsSchedules() throws SQLException {
        try (var database = TestPostgres.shared().freshDatabase()) {
            var runledger = RunledgerClient.create(database.dataSource());
            runledger.migrate();
            try (var connection = database.connect();
                    var statement = connection.createStatement()) {
                statement.execute("INSERT INTO runledger.job_definitions (job_type) VALUES ('report')");
            }
            var tenant = UUID.randomUUID();
            var scope = Scope.organization(tenant);
            var nightly = ScheduleRequest.builder("nightly", REPORT, new Report("daily"))
                    .cron("0 30 2 * * *")
                    .zone("Europe/Berlin")
                    .organization(tenant)
                    .jitter(Duration.ofMinutes(5))
                    .fireAllMisfires(3)
                    .overlap(OverlapPolicy.SKIP)
                    .build();

            assertEquals(
                    List.of(Instant.parse("2026-03-29T01:00:00Z")),
                    Schedules.preview(nightly, Instant.parse("2026-03-28T12:00:00Z"), 1));

            var schedules = runledger.schedules();
            Schedule saved = schedules.upsert(nightly);
            assertTrue(saved.active());
            assertEquals(
                    saved.nextFireAt(), schedules.upcoming(scope, "nightly", 2).get(0));

            schedules.retime(scope, "nightly", PAST);
            var pass = WorkerLedger.of(runledger).schedules().fire(100);
            assertEquals(PAST, pass.fired().get(0).scheduledFor());
            assertEquals(
                    pass.fires().size(),
                    schedules.fires(scope, "nightly").items().size());
            assertTrue(pass.deferred().isEmpty());
            var newest = schedules.fires(scope, "nightly", 1);
            assertTrue(newest.hasNext());
            var older = schedules.fires(scope, "nightly", 1, newest.next());
            assertTrue(older.items()
                    .get(0)
                    .scheduledFor()
                    .isBefore(newest.items().get(0).scheduledFor()));

            assertFalse(schedules.pause(scope, "nightly").active());
            assertTrue(schedules.resume(scope, "nightly").active());
            assertNotNull(schedules
                    .fireNow(scope, "nightly", "A customer asked for it.")
                    .jobId());

            var poll = ScheduleRequest.builder("poll", "report", new Report("poll"))
                    .every(Duration.ofMinutes(10))
                    .build();
            assertEquals(
                    1, schedules.sync(Scope.global(), List.of(poll)).synced().size());
            var exact = schedules.syncExactly(Scope.global(), List.of(), Set.of("poll"));
            assertEquals(List.of("poll"), exact.deactivated());

            assertEquals(2, schedules.list(Scope.everything()).items().size());
            assertNull(schedules.find(Scope.global(), "nightly"));
            assertThrows(NotFoundException.class, () -> schedules.get(Scope.global(), "nightly"));
            assertEquals("nightly", schedules.get(scope, "nightly").name());
            assertTrue(schedules.delete(scope, "nightly"));
        }
    }
}

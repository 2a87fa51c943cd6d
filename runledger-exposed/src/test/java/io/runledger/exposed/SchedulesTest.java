package io.runledger.exposed;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.runledger.exposed.worker.WorkerLedger;
import io.runledger.model.error.ConflictException;
import io.runledger.model.error.NotFoundException;
import io.runledger.model.job.JobType;
import io.runledger.model.ledger.Scope;
import io.runledger.model.schedule.BackfillPreview;
import io.runledger.model.schedule.BackfillReport;
import io.runledger.model.schedule.FireCause;
import io.runledger.model.schedule.OverlapPolicy;
import io.runledger.model.schedule.Schedule;
import io.runledger.model.schedule.ScheduleEdit;
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
    void anOperatorBackfillsAndEditsASchedule() throws SQLException {
        try (var database = TestPostgres.shared().freshDatabase()) {
            var runledger = RunledgerClient.create(database.dataSource());
            runledger.migrate();
            try (var connection = database.connect();
                    var statement = connection.createStatement()) {
                statement.execute("INSERT INTO runledger.job_definitions (job_type) VALUES ('report')");
            }
            var nightly = ScheduleRequest.builder("nightly", REPORT, new Report("daily"))
                    .cron("30 2 * * *")
                    .build();
            var saved = runledger.schedules().upsert(nightly);
            var schedules = runledger.actingAs("dana").schedules();
            var until = PAST.plus(Duration.ofDays(3));

            BackfillPreview preview = schedules.previewBackfill(Scope.global(), "nightly", PAST, until);
            assertEquals(3, preview.toFire());
            assertEquals(Instant.parse("2026-01-01T02:30:00Z"), preview.first());
            BackfillReport report = schedules.backfill(Scope.global(), "nightly", PAST, until, "The source was down.");
            assertEquals(3, report.fired());
            assertEquals(
                    3,
                    schedules
                            .backfill(Scope.global(), "nightly", PAST, until, "again")
                            .alreadyFired());
            assertEquals(
                    3,
                    schedules
                            .previewBackfill(Scope.global(), "nightly", PAST, until, true)
                            .toFire());
            var line = schedules.fires(Scope.global(), "nightly", 1).items().get(0);
            assertEquals(FireCause.BACKFILL, line.cause());

            var edit = ScheduleEdit.of(saved)
                    .every(Duration.ofHours(6))
                    .fireAllMisfires(2)
                    .payload(new Report("all"))
                    .build();
            assertEquals(2, Schedules.preview(edit.rule(), PAST, 2).size());
            Schedule edited = schedules.edit(Scope.global(), edit, "The source changes more often.");
            assertEquals(Duration.ofHours(6), edited.interval());
            assertThrows(ConflictException.class, () -> schedules.edit(Scope.global(), edit));
            var weekly = schedules.edit(Scope.global(), edited, "Too often.", change -> change.cron("@weekly"));
            assertEquals("@weekly", weekly.cron());
        }
    }

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

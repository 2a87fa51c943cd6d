package io.runledger.exposed;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.runledger.exposed.worker.WorkerLedger;
import io.runledger.model.error.ActionRepeatedException;
import io.runledger.model.error.ConflictException;
import io.runledger.model.error.ErrorCode;
import io.runledger.model.error.LeaseLostException;
import io.runledger.model.job.CanceledJob;
import io.runledger.model.job.JobRequest;
import io.runledger.model.job.JobSelection;
import io.runledger.model.job.JobStatus;
import io.runledger.model.job.JobType;
import io.runledger.model.job.KeptState;
import io.runledger.model.job.Lease;
import io.runledger.model.job.Progress;
import io.runledger.model.job.ReplayOutcome;
import io.runledger.model.job.ReplayRequest;
import io.runledger.model.job.RequeueOutcome;
import io.runledger.model.job.RequeueRequest;
import io.runledger.model.json.Payload;
import io.runledger.model.lease.ClaimRequest;
import io.runledger.model.lease.ProgressReport;
import io.runledger.model.lease.SettledJob;
import io.runledger.model.lease.Verdict;
import io.runledger.model.ledger.Scope;
import io.runledger.model.operator.AuditQuery;
import io.runledger.model.operator.OperatorActionKind;
import io.runledger.model.operator.OperatorTarget;
import io.runledger.model.retention.PruneRefusal;
import io.runledger.model.retention.PruneRequest;
import io.runledger.postgres.TestDatabase;
import io.runledger.postgres.TestPostgres;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class OperatorActionsTest {
    private static final Scope SCOPE = Scope.global();

    private final TestDatabase database = TestPostgres.shared().freshDatabase();
    private final RunledgerClient runledger = RunledgerClient.create(database.dataSource());

    @BeforeEach
    void migrate() throws SQLException {
        runledger.migrate();
        execute("INSERT INTO runledger.job_definitions (job_type) VALUES ('mail')");
    }

    @AfterEach
    void drop() {
        database.close();
    }

    @Test
    void anOperatorCancelsEditsAndRequeues() {
        var id = enqueue();

        var canceled = runledger.jobs().cancel(SCOPE, id, "wrong address");
        assertEquals(JobStatus.CANCELED, canceled.status());
        assertThrows(ConflictException.class, () -> runledger.jobs().cancel(SCOPE, id));

        runledger.jobs().editPayload(SCOPE, id, Payload.of(Map.of("to", "ada")), "right address");
        var request = RequeueRequest.of(canceled, KeptState.RESET_PROGRESS_AND_CHECKPOINT, "go");
        var requeued =
                assertInstanceOf(RequeueOutcome.Requeued.class, runledger.jobs().requeue(SCOPE, request));
        assertEquals(2, requeued.runNumber());

        var all = runledger.jobs().cancelWhere(SCOPE, JobSelection.ofType("mail"), null, 10);
        assertEquals(CanceledJob.Result.CANCELED, all.get(0).result());
        assertEquals(List.of(), runledger.jobs().openDeadLetters(SCOPE, 10).items());
        assertEquals(List.of(), runledger.jobs().deadLetters(SCOPE, id).items());
        assertInstanceOf(
                RequeueOutcome.ExpectationMismatch.class,
                runledger.jobs().requeueAll(SCOPE, List.of(request)).get(0));

        enqueue();
        assertEquals(1, runledger.jobs().cancelAllWhere(SCOPE, JobSelection.ofType("mail"), "no more mail"));
        assertEquals(
                JobStatus.PENDING,
                runledger.jobs().restart(SCOPE, id, "wrong file").status());
        runledger.jobs().cancel(SCOPE, id);
        assertEquals(4, runledger.jobs().requeue(SCOPE, id).runNumber());
        assertThrows(ConflictException.class, () -> runledger.jobs().requeue(SCOPE, id, "again"));
        assertEquals(0, runledger.jobs().requeueAllDeadLetters(SCOPE, JobSelection.any(), "the outage is over"));
        var keep = KeptState.PRESERVE_PROGRESS_AND_CHECKPOINT;
        assertEquals(0, runledger.jobs().requeueAllDeadLetters(SCOPE, JobSelection.any(), keep, "the outage is over"));
    }

    @Test
    void waitingJobsArePutOffAsTheyWereSeen() {
        var jobs = runledger.jobs();
        var seen = jobs.get(SCOPE, enqueue());

        var snoozed = jobs.snooze(SCOPE, seen, Duration.ofHours(1), "not yet");

        assertThrows(ConflictException.class, () -> jobs.snooze(SCOPE, seen, Duration.ofHours(1), "not yet"));
        assertThrows(ConflictException.class, () -> jobs.reschedule(SCOPE, seen, Instant.EPOCH, "now"));
        assertThrows(ConflictException.class, () -> jobs.runNow(SCOPE, seen, "now"));
        assertEquals(7, jobs.reprioritize(SCOPE, snoozed, 7, "less important").priority());
        assertEquals(1, jobs.snoozeAllWhere(SCOPE, JobSelection.ofType("mail"), Duration.ofHours(1), "not yet"));
        assertEquals(
                snoozed.nextRunAt().plus(Duration.ofHours(2)),
                jobs.snooze(SCOPE, seen.id(), Duration.ofHours(1), "not yet").nextRunAt());
    }

    @Test
    void actionsNameTheirOperatorAndAreUndone() {
        var id = enqueue();
        var dana = runledger.actingAs("dana@example.org", "ticket 7");

        dana.jobs().cancel(SCOPE, id, "duplicate order");
        var repeated = assertThrows(
                ActionRepeatedException.class, () -> dana.jobs().cancel(SCOPE, enqueue(), "duplicate order"));

        var action = runledger.audit().get(SCOPE, repeated.actionId());
        assertEquals("dana@example.org", action.actor());
        assertEquals(OperatorActionKind.JOB_CANCEL, action.kind());
        assertEquals(OperatorTarget.job(id), action.target());
        assertEquals(
                List.of(action),
                runledger.audit().list(SCOPE, AuditQuery.ofJob(id)).items());

        var eve = runledger.actingAs("eve@example.org");
        assertEquals(
                1, eve.audit().undo(SCOPE, action.id(), "it was no duplicate").restored());
        var tomorrow = Instant.parse("2190-01-01T00:00:00Z");
        assertEquals(
                tomorrow, eve.jobs().reschedule(SCOPE, id, tomorrow, "not yet").nextRunAt());
        assertEquals(7, eve.jobs().reprioritize(SCOPE, id, 7, "less urgent").priority());
        eve.jobs().runNow(SCOPE, id, "now");
        assertEquals(2, eve.jobs().rescheduleAllWhere(SCOPE, JobSelection.ofType("mail"), tomorrow, "maintenance"));
        assertEquals(2, eve.jobs().runNowAllWhere(SCOPE, JobSelection.ofType("mail"), "it is over"));
        assertEquals(1, eve.jobs().reprioritizeAllWhere(SCOPE, JobSelection.ofType("mail"), 7, "less urgent"));
        eve.definitions().pause("mail", "maintenance");
        assertEquals(9, runledger.audit().list(SCOPE).items().size());
        assertEquals(9, runledger.retention().pruneActions(Duration.ZERO, 100));
    }

    @Test
    void aJobIsEnqueuedWithSettingsOfItsOwn() {
        var mail = JobType.of("mail", String.class);
        var jobs = runledger.jobs();

        var first = jobs.enqueue(
                mail, "ada", job -> job.idempotencyKey("welcome/ada").priority(7));

        assertEquals(
                first.id(),
                jobs.enqueue(
                                mail,
                                "ada",
                                job -> job.idempotencyKey("welcome/ada").priority(7))
                        .id());
        assertEquals(7, jobs.get(SCOPE, first.id()).priority());
        WorkerLedger.of(runledger).leases().settle(Map.of(claim(), new Verdict.Succeed(null)));
        assertEquals(1, runledger.retention().pruneSucceeded(Duration.ZERO).jobs());
        assertEquals(
                0, runledger.retention().pruneSucceededRuns(Duration.ZERO, 10).runs());
    }

    @Test
    void aWorkerReportsGivesBackAndIsReaped() {
        enqueue();
        var lease = claim();

        WorkerLedger.of(runledger).leases().report(ProgressReport.of(lease, Progress.of(1, 2)));
        assertTrue(WorkerLedger.of(runledger).leases().noteOvertime(lease, Duration.ofMinutes(10)));
        assertEquals(
                SettledJob.Result.RELEASED,
                WorkerLedger.of(runledger)
                        .leases()
                        .release(List.of(lease), "SHUTDOWN")
                        .get(0)
                        .result());
        assertEquals(
                SettledJob.Result.LOST,
                WorkerLedger.of(runledger)
                        .leases()
                        .release(List.of(lease), "SHUTDOWN")
                        .get(0)
                        .result());

        assertThrows(
                LeaseLostException.class,
                () -> WorkerLedger.of(runledger).leases().report(ProgressReport.running(lease)));
        assertEquals(List.of(), WorkerLedger.of(runledger).leases().reap(10, Duration.ofSeconds(5)));
    }

    @Test
    void aClaimTellsWhatItLeavesInDoubt() {
        enqueue();
        var doubtful = new ArrayList<Lease>();

        var jobs = WorkerLedger.of(runledger)
                .leases()
                .claim(ClaimRequest.of(List.of("mail"), "worker", Duration.ofMinutes(1), 1), doubtful::addAll);

        assertEquals(1, jobs.size());
        assertEquals(List.of(), doubtful);
    }

    @Test
    void aSucceededJobIsReplayedAndForgotten() {
        var id = enqueue();
        WorkerLedger.of(runledger).leases().settle(Map.of(claim(), new Verdict.Succeed(null)));

        var replayed = assertInstanceOf(
                ReplayOutcome.Replayed.class,
                runledger.jobs().replay(SCOPE, new ReplayRequest(id, 1, "ticket 7", "mail was lost")));
        assertEquals(id, replayed.replay().sourceJobId());
        runledger.jobs().cancel(SCOPE, replayed.replay().replayJobId());

        var request = PruneRequest.of(Duration.ZERO, Set.of(JobStatus.SUCCEEDED, JobStatus.CANCELED), 100);
        assertEquals(2, runledger.retention().prune(request).jobs());
    }

    @Test
    void jobsThatCannotBeDeletedAreTold() throws SQLException {
        var id = enqueue();
        enqueue();
        execute("CREATE TABLE orders (job_id uuid REFERENCES runledger.job_queue (id))");
        execute("INSERT INTO orders VALUES ('" + id + "')");
        WorkerLedger.of(runledger).leases().settle(Map.of(claim(), new Verdict.Succeed(null)));
        WorkerLedger.of(runledger).leases().settle(Map.of(claim(), new Verdict.Succeed(null)));

        var request = PruneRequest.of(Duration.ZERO, Set.of(JobStatus.SUCCEEDED), 1);
        var first = runledger.retention().prune(request);
        var second = runledger.retention().prune(request.after(first.next()));

        assertEquals(1, first.jobs() + second.jobs());
        var refused = new ArrayList<>(first.refused());
        refused.addAll(second.refused());
        assertEquals(List.of(id), refused.stream().map(PruneRefusal::id).toList());
        assertEquals(ErrorCode.DB_STILL_REFERENCED, refused.get(0).refusal().code());
    }

    private void execute(String sql) throws SQLException {
        try (var connection = database.connect();
                var statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    private java.util.UUID enqueue() {
        return runledger
                .jobs()
                .enqueue(JobRequest.builder("mail", Map.of()).build())
                .id();
    }

    private Lease claim() {
        var request = ClaimRequest.of(List.of("mail"), "worker", Duration.ofMinutes(1), 1);
        return WorkerLedger.of(runledger).leases().claim(request).get(0).lease();
    }
}

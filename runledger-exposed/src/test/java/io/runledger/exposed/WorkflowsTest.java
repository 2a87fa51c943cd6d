package io.runledger.exposed;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.runledger.exposed.worker.WorkerLedger;
import io.runledger.model.error.NotFoundException;
import io.runledger.model.failure.JobFailure;
import io.runledger.model.history.RunEvent;
import io.runledger.model.history.RunEventType;
import io.runledger.model.job.DeadLetterReason;
import io.runledger.model.json.Json;
import io.runledger.model.json.Payload;
import io.runledger.model.lease.ClaimRequest;
import io.runledger.model.lease.ClaimedJob;
import io.runledger.model.lease.Verdict;
import io.runledger.model.ledger.Disposition;
import io.runledger.model.ledger.Scope;
import io.runledger.model.retention.PruneRunsRequest;
import io.runledger.model.run.GateCompletion;
import io.runledger.model.run.PausedRun;
import io.runledger.model.run.RecoveryRequest;
import io.runledger.model.run.ResumedRun;
import io.runledger.model.run.StepOutput;
import io.runledger.model.run.WorkflowSummary;
import io.runledger.model.workflow.AppendRequest;
import io.runledger.model.workflow.Upstream;
import io.runledger.model.workflow.WorkflowRequest;
import io.runledger.model.workflow.WorkflowRunStatus;
import io.runledger.model.workflow.WorkflowStepStatus;
import io.runledger.postgres.TestDatabase;
import io.runledger.postgres.TestPostgres;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class WorkflowsTest {
    private static final Scope SCOPE = Scope.global();

    record Report(int pages) {}

    private final TestDatabase database = TestPostgres.shared().freshDatabase();
    private final RunledgerClient runledger = RunledgerClient.create(database.dataSource());
    private final Workflows workflows = runledger.workflows();

    @BeforeEach
    void migrate() throws SQLException {
        runledger.migrate();
        execute("INSERT INTO runledger.job_definitions (job_type) VALUES ('crawl'), ('print')");
    }

    @AfterEach
    void drop() {
        database.close();
    }

    @Test
    void endedRunsAreForgotten() {
        var report = WorkflowRequest.builder("site-report");
        report.externalGate("approval", gate -> {});
        var run = workflows.enqueue(report.build()).runId();
        workflows.cancel(SCOPE, run);

        var request = PruneRunsRequest.of(Duration.ZERO, Set.of(WorkflowRunStatus.CANCELED), 100);
        var pruned = runledger.retention().pruneRuns(request);

        assertEquals(1, pruned.runs());
        assertEquals(0, pruned.jobs());
        assertEquals(List.of(), pruned.refused());
        assertNull(pruned.next());
        assertThrows(NotFoundException.class, () -> workflows.get(SCOPE, run));
    }

    @Test
    void aRunIsStartedApprovedAndAwaited() throws Exception {
        var report = WorkflowRequest.builder("site-report").idempotencyKey("example.org/2026-11");
        var crawl = report.job("crawl", job -> job.payload(Map.of("site", "example.org")));
        var approval = report.externalGate("approval", gate -> gate.after(crawl).expiresAfter(Duration.ofDays(3)));
        var print = report.job("print", job -> job.after(crawl, approval));
        var request = report.result(print).build();

        var started = workflows.enqueue(request);
        var result = workflows.awaitResult(SCOPE, started.runId(), Report.class);
        var end = workflows.await(SCOPE, started.runId());

        assertTrue(started.isNew());
        assertEquals(Disposition.EXISTING, workflows.enqueue(request).disposition());

        succeed(claim("crawl"), Map.of("pages", 3));
        var gate = workflows.completeGate(
                SCOPE,
                GateCompletion.succeeded(started.runId(), "approval", Map.of("by", "dana"))
                        .because("looks good"));
        assertEquals(WorkflowStepStatus.SUCCEEDED, gate.status());

        var printing = claim("print");
        var outputs = WorkerLedger.of(runledger)
                .stepInputs()
                .prerequisites(printing.lease().jobId());
        assertEquals(
                List.of("crawl", "approval"),
                outputs.stream().map(StepOutput::stepKey).toList());
        assertEquals(Json.of("{\"pages\": 3}"), outputs.get(0).output());
        succeed(printing, new Report(3));

        assertEquals(WorkflowRunStatus.SUCCEEDED, end.get().status());
        assertEquals(new Report(3), result.get());
        assertEquals(
                WorkflowRunStatus.SUCCEEDED,
                workflows.await(SCOPE, started.runId(), Duration.ZERO).get().status());
    }

    @Test
    void aRunGrowsWhileItsPlanIsOpen() {
        var plan = WorkflowRequest.builder("fan-out");
        plan.externalGate("plan");
        var run = workflows.enqueue(plan.build()).runId();

        var pages = AppendRequest.builder(run, "pages", "plan").metadata(Map.of("planner", "dana"));
        var first = pages.job("crawl");
        pages.job("print", job -> job.after(first, Upstream.named("plan")).maxAttempts(2));
        var appended = workflows.append(SCOPE, pages.build());

        assertEquals(WorkflowStepStatus.ENQUEUED, appended.steps().get(0).status());
        assertFalse(workflows.append(SCOPE, pages.build()).isNew());

        var edited = workflows.editPayload(SCOPE, run, "print", Payload.of(Map.of("copies", 2)), "two, not one");
        assertEquals(Json.of("{\"copies\": 2}"), edited.payload());
    }

    @Test
    void aGateIsCompletedByItsRunAndKey() {
        var order = WorkflowRequest.builder("order");
        order.externalGate("paid");
        order.externalGate("approval");
        order.externalGate("stock");
        var run = workflows.enqueue(order.build()).runId();

        var paid = workflows.completeGate(SCOPE, run, "paid");
        var approved = workflows.completeGate(SCOPE, run, "approval", Map.of("by", "dana"));
        var missing = workflows.failGate(SCOPE, run, "stock", "orders.no_stock", "The lamp is sold out.");

        assertEquals(WorkflowStepStatus.SUCCEEDED, paid.status());
        assertNull(paid.output());
        assertEquals(Json.of("{\"by\": \"dana\"}"), approved.output());
        assertEquals(WorkflowStepStatus.FAILED, missing.status());
        assertEquals("orders.no_stock", missing.lastErrorCode());
        assertEquals("The lamp is sold out.", missing.lastErrorMessage());
        assertEquals(paid, workflows.completeGate(SCOPE, run, "paid"));
    }

    @Test
    void aBrokenRunIsRetriedOrDoneAgain() {
        var request = WorkflowRequest.builder("nightly");
        request.job("crawl");
        var run = workflows.enqueueAll(List.of(request.build())).get(0).runId();
        fail(claim("crawl"));

        var retried = workflows.retryFailed(SCOPE, run, "first try", "the site is back");
        assertEquals(List.of("crawl"), retried.stepKeys());
        assertEquals(WorkflowRunStatus.RUNNING, retried.run().status());
        fail(claim("crawl"));

        var again = workflows.recover(SCOPE, RecoveryRequest.of(run, "second try", "once more from the start"));
        assertTrue(again.isNew());
        assertEquals(WorkflowRunStatus.RUNNING, again.status());
    }

    @Test
    void aRunIsCanceledAndItsKeyFreed() throws SQLException {
        var customers = WorkflowRequest.builder("import").activeKey("customers");
        customers.job("crawl");
        var run = workflows.enqueueUnlessActive(customers.build()).runId();
        assertEquals(
                Disposition.ACTIVE,
                workflows.enqueueUnlessActive(customers.build()).disposition());
        claim("crawl");

        assertEquals(
                WorkflowRunStatus.CANCELED,
                workflows
                        .cancel(SCOPE, run, "wrong file", "import.wrong_file", "It was last month's.")
                        .status());
        assertEquals("wrong file", workflows.cancel(SCOPE, run).statusReason());
        assertThrows(NotFoundException.class, () -> workflows.cancel(SCOPE, UUID.randomUUID(), "typo"));

        assertEquals(List.of(), WorkerLedger.of(runledger).upkeep().releaseActiveKeys(10));
        execute("UPDATE runledger.job_queue SET lease_expires_at = now()");
        assertEquals(List.of(run), WorkerLedger.of(runledger).upkeep().releaseActiveKeys(10));
    }

    @Test
    void aRunIsPausedAndResumed() {
        var request = WorkflowRequest.builder("import");
        request.job("crawl");
        var run = workflows.enqueue(request.build()).runId();

        var paused = workflows.pause(SCOPE, run, "wrong file");
        assertEquals(PausedRun.Result.PAUSED, paused.result());
        assertTrue(paused.run().isPaused());
        assertEquals(
                PausedRun.Result.ALREADY_PAUSED, workflows.pause(SCOPE, run).result());
        assertEquals("wrong file", workflows.get(SCOPE, run).pauseReason());
        assertEquals(List.of(), claimAll("crawl"));
        var onHold = workflows.list(SCOPE, query -> query.paused(true));
        assertEquals(
                List.of(run), onHold.items().stream().map(WorkflowSummary::id).toList());

        assertEquals(
                ResumedRun.Result.RESUMED,
                workflows.resume(SCOPE, run, "right file").result());
        assertEquals(ResumedRun.Result.NOT_PAUSED, workflows.resume(SCOPE, run).result());
        assertEquals(
                List.of(RunEventType.PAUSED, RunEventType.RESUMED),
                workflows.runEvents(SCOPE, run).stream().map(RunEvent::type).toList());
        assertThrows(NotFoundException.class, () -> workflows.pause(SCOPE, UUID.randomUUID(), "typo"));
        succeed(claim("crawl"), "done");
        assertEquals(PausedRun.Result.ALREADY_ENDED, workflows.pause(SCOPE, run).result());
    }

    @Test
    void aGateThatNobodyCompletesEndsByItself() throws SQLException {
        var offer = WorkflowRequest.builder("offer");
        offer.externalGate("answer", gate -> gate.expiresAfter(Duration.ofDays(30)));
        var run = workflows.enqueue(offer.build()).runId();
        assertEquals(List.of(), WorkerLedger.of(runledger).upkeep().expireGates(100));
        execute("UPDATE runledger.workflow_step_rows SET expires_at = now()");

        var expired = WorkerLedger.of(runledger).upkeep().expireGates(100).get(0);

        assertEquals(run, expired.runId());
        assertEquals("answer", expired.stepKey());
        assertEquals(WorkflowStepStatus.FAILED, expired.status());
    }

    private ClaimedJob claim(String type) {
        return claimAll(type).get(0);
    }

    private List<ClaimedJob> claimAll(String type) {
        return WorkerLedger.of(runledger)
                .leases()
                .claim(ClaimRequest.of(List.of(type), "worker", Duration.ofMinutes(1), 1));
    }

    private void succeed(ClaimedJob job, Object output) {
        settle(job, new Verdict.Succeed(Payload.of(output)));
    }

    private void fail(ClaimedJob job) {
        var failure = JobFailure.terminal("site.gone", "It does not answer.");
        settle(job, new Verdict.DeadLetter(failure, DeadLetterReason.FAILURE_KIND_NON_RETRYABLE));
    }

    private void settle(ClaimedJob job, Verdict verdict) {
        WorkerLedger.of(runledger).leases().settle(Map.of(job.lease(), verdict));
    }

    private void execute(String sql) throws SQLException {
        try (var connection = database.connect();
                var statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }
}

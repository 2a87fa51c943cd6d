package io.runledger.exposed.workflow.read

import io.kotest.assertions.withClue
import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.comparables.shouldBeLessThanOrEqualTo
import io.kotest.matchers.ints.shouldBeGreaterThan
import io.kotest.matchers.string.shouldNotContain
import io.runledger.exposed.RunledgerClient
import io.runledger.exposed.TestLedger
import io.runledger.exposed.Workflows
import io.runledger.exposed.context.Cursor
import io.runledger.exposed.freshLedger
import io.runledger.exposed.read.Explaining
import io.runledger.model.ledger.Scope
import io.runledger.model.run.WorkflowQuery
import io.runledger.model.workflow.WorkflowRunStatus
import java.util.UUID

private const val RUNS = 50_000

/**
 * Runs of three steps: one per second back from now with ids that contain the time, every hundredth the organization's, every
 * five-hundredth waiting at its gate, the oldest hundred of a type that has not run since.
 */
private fun TestLedger.fill(organization: UUID) = run(
    "INSERT INTO runledger.job_definitions (job_type) VALUES ('t')",
    """INSERT INTO runledger.workflow_runs (id, workflow_type, organization_id, status, open_steps, waiting_steps, created_at, finished_at,
            idempotency_key, enqueue_request)
        SELECT (lpad(to_hex((extract(epoch FROM at) * 1000)::bigint), 12, '0') || '7' || substr(md5(n::text), 1, 3) || '8'
                || substr(md5(n::text), 4, 15))::uuid,
            CASE WHEN n > $RUNS - 100 THEN 'old' ELSE 't' || n % 10 END,
            CASE WHEN n % 100 = 0 THEN '$organization'::uuid ELSE gen_random_uuid() END,
            CASE WHEN n % 500 = 7 THEN 'WAITING_FOR_EXTERNAL' ELSE 'SUCCEEDED' END::runledger.workflow_run_status,
            CASE WHEN n % 500 = 7 THEN 2 ELSE 0 END, CASE WHEN n % 500 = 7 THEN 1 ELSE 0 END, at, CASE WHEN n % 500 <> 7 THEN at END,
            'k' || n, '{}'
        FROM (SELECT n, now() - n * interval '1 second' AS at FROM generate_series(1, $RUNS) n) made""",
    """INSERT INTO runledger.workflow_step_rows (workflow_run_id, ordinal, step_key, execution_kind, job_id, job_type, priority,
            max_attempts, timeout_seconds, stage, status, created_at, released_at, finished_at)
        SELECT r.id, n, 's' || n, CASE n WHEN 1 THEN 'EXTERNAL' ELSE 'JOB' END::runledger.workflow_step_execution_kind,
            CASE WHEN n <> 1 THEN gen_random_uuid() END, CASE WHEN n <> 1 THEN 't' END, CASE WHEN n <> 1 THEN 0 END, CASE WHEN n <> 1 THEN 1 END, CASE WHEN n <> 1 THEN 60 END,
            CASE WHEN n <> 1 THEN 'queued' END,
            CASE WHEN n <> 1 THEN 'BLOCKED' WHEN r.finished_at IS NOT NULL THEN 'SUCCEEDED' ELSE 'WAITING_FOR_EXTERNAL'
                END::runledger.workflow_step_status,
            r.created_at, CASE n WHEN 1 THEN r.created_at END, CASE WHEN n = 1 AND r.finished_at IS NOT NULL THEN r.created_at END
        FROM runledger.workflow_runs r CROSS JOIN generate_series(0, 2) n""",
    """INSERT INTO runledger.job_queue (id, is_step, job_type, max_attempts, attempt, status, created_at, finished_at)
        SELECT s.job_id, true, 't', 1, 1, 'SUCCEEDED', r.created_at, r.created_at
        FROM runledger.workflow_step_rows s JOIN runledger.workflow_runs r ON r.id = s.workflow_run_id
        WHERE s.job_id IS NOT NULL AND (r.finished_at IS NOT NULL OR s.ordinal = 0)""",
    """INSERT INTO runledger.workflow_step_dependencies (workflow_run_id, prerequisite_step_id, dependent_step_id)
        SELECT p.workflow_run_id, p.id, d.id FROM runledger.workflow_steps p
        JOIN runledger.workflow_steps d ON d.workflow_run_id = p.workflow_run_id AND d.ordinal = p.ordinal + 1""",
    """INSERT INTO runledger.workflow_step_journal (workflow_run_id, step_id, event_type)
        SELECT workflow_run_id, id, 'EDITED' FROM runledger.workflow_steps WHERE ordinal = 0""",
    """INSERT INTO runledger.workflow_run_mutations (workflow_run_id, mutation_key, request)
        SELECT id, 'm', '{}' FROM runledger.workflow_runs""",
    "VACUUM ANALYZE",
)

class RunReadPlansSpec :
    FunSpec({
        val organization = UUID.randomUUID()
        val ledger by lazy { freshLedger().also { it.fill(organization) } }
        val everything = Scope.everything()

        fun pages(plan: String): Int {
            val total = checkNotNull(Regex("""Buffers: shared (.*)""").find(plan)).groupValues[1]
            return Regex("""(?:hit|read)=(\d+)""").findAll(total).sumOf { it.groupValues[1].toInt() }
        }

        fun shouldReadAtMost(limit: Int, read: (Workflows) -> Unit) {
            val source = Explaining(ledger.dataSource)
            read(RunledgerClient.create(source).workflows)
            val plans = source.plans.filter { "Scan" in it }
            plans.size shouldBeGreaterThan 0
            plans.forEach { plan ->
                withClue(plan) {
                    plan shouldNotContain Regex("Seq Scan on workflow_(runs|steps|step_dependencies|step_journal|run_mutations)")
                    pages(plan) shouldBeLessThanOrEqualTo limit
                }
            }
        }

        fun anyRun() = UUID.fromString(ledger.value("SELECT id FROM runledger.workflow_runs ORDER BY id OFFSET 5000 LIMIT 1"))

        test("a run and everything about it is found by indexes") {
            val id = anyRun()

            shouldReadAtMost(20) { it.get(everything, id) }
            shouldReadAtMost(20) { it.findStep(everything, id, "s1") }
            shouldReadAtMost(30) { it.steps(everything, id, 2) }
            shouldReadAtMost(30) { it.dependencies(everything, id, 1) }
            shouldReadAtMost(100) { it.events(everything, id) }
            shouldReadAtMost(30) { it.stepCounts(everything, id) }
            shouldReadAtMost(30) { it.stepTotals(everything, listOf(id)) }
            shouldReadAtMost(30) { it.mutations(everything, id) }
            shouldReadAtMost(30) { it.runEvents(everything, id) }
            shouldReadAtMost(30) { it.lineage(everything, id) }
            shouldReadAtMost(100) { it.story(everything, id) }
            shouldReadAtMost(20) { it.findByJob(everything, id) }
            shouldReadAtMost(20) { it.findByKey(Scope.organization(organization), "t0", "k100") }
        }

        test("a page reads about as much as it shows, the first and a deep one, of all, of an organization and of a type") {
            val first = WorkflowQuery.builder().limit(50).build()
            val deep = first.after(Cursor.after(anyRun()))

            shouldReadAtMost(200) { it.list(everything, first) }
            shouldReadAtMost(200) { it.list(everything, deep) }
            shouldReadAtMost(200) { it.list(Scope.organization(organization), first) }
            shouldReadAtMost(200) { it.list(everything, WorkflowQuery.builder().workflowTypes("old").limit(50).build()) }
        }

        test("the latest run of a type is found although it is long ago, and of a type that never ran nothing is read") {
            shouldReadAtMost(20) { it.findLatest(everything, "old") }
            shouldReadAtMost(20) { it.findLatest(everything, "never") }
        }

        test("live runs and open gates are found without reading what has ended") {
            val live = WorkflowQuery.builder()
                .statuses(WorkflowRunStatus.RUNNING, WorkflowRunStatus.WAITING_FOR_EXTERNAL)
                .limit(1_000)
                .build()

            shouldReadAtMost(400) { it.list(everything, live) }
            shouldReadAtMost(400) { it.count(everything, live) }
            shouldReadAtMost(400) { it.list(everything, WorkflowQuery.builder().paused(true).limit(1_000).build()) }
            // Each gate is looked up with its run.
            shouldReadAtMost(500) { it.openGates(everything, 50) }
            shouldReadAtMost(1_000) { it.openGates(Scope.organization(organization), 50) }
        }
    })

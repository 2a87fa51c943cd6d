package io.runledger.exposed.workflow

import io.kotest.assertions.withClue
import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.longs.shouldBeLessThan
import io.kotest.matchers.string.shouldNotContain
import io.runledger.exposed.schema.SchemaName
import io.runledger.exposed.sql.KEEP_PLAN
import io.runledger.exposed.sql.NamedParameters
import io.runledger.exposed.sql.Statements

/**
 * With many runs in the tables, a change reads only the rows it changes. Of a large run it reads each step a few times.
 * With a custom plan, with a generic plan, and with the plan that a connection keeps. Pages and rows are counted, so
 * the load of the machine does not matter.
 */
class WorkflowPlansSpec :
    FunSpec({
        val flow by lazy { flow().also { it.ledger.run(*manyRuns, *wideRun, "VACUUM ANALYZE") } }
        val statements = Statements(SchemaName.DEFAULT)

        fun ids(query: String) = "'{${flow.ledger.rows(query).joinToString(",")}}'"

        fun id(query: String) = "'${flow.ledger.value(query)}'"

        fun some(column: String) = ids("SELECT $column FROM made WHERE live ORDER BY n LIMIT $SOME")

        fun plans(statement: String, values: List<String>, suffix: String = "", before: String = "SELECT"): List<Explained> {
            var place = 0
            val sql = NamedParameters.of(statements[statement]).text.replace(Regex("\\?")) { "\$${++place}" } + suffix
            return settings.map { (kind, setting) ->
                flow.ledger.database.connect().use { connection ->
                    connection.autoCommit = false
                    connection.createStatement().use {
                        it.execute(before)
                        it.execute(setting)
                        it.execute("PREPARE changed AS $sql")
                        val explained = it.executeQuery(
                            "EXPLAIN (ANALYZE, BUFFERS, TIMING OFF, COSTS OFF, SUMMARY OFF) EXECUTE changed (${values.joinToString()})",
                        )
                        Explained(kind, buildList { while (explained.next()) add(explained.getString(1)) })
                    }.also { connection.rollback() }
                }
            }
        }

        /** The parameters of a reset without an operator. */
        fun resetting(run: String) = listOf(run, "'r'") + List(6) { "NULL" }

        fun zeros() = "'{${List(SOME) { 0 }.joinToString(",")}}'"

        fun succeeded(steps: Int) = "'{${List(steps) { "SUCCEEDED" }.joinToString(",")}}'"

        fun advance(
            ended: List<String> = List(3) { "'{}'" },
            ready: String = "'{}'",
            counters: List<String> = List(6) { "'{}'" },
        ) = plans("workflow/run_advance", ended + ready + counters + listOf("NULL", "'c'", "'m'"))

        mapOf<String, () -> List<Explained>>(
            "locking the runs of jobs" to { plans("workflow/run_lock_jobs", listOf(some("job"))) },
            "locking the free runs of jobs" to { plans("workflow/run_lock_jobs", listOf(some("job")), " SKIP LOCKED") },
            "firing what waited for ended steps" to { advance(ended = listOf(some("run"), some("a"), succeeded(SOME))) },
            "deciding about steps that were set back" to { advance(ready = some("a")) },
            "counting" to { advance(counters = listOf(some("run")) + List(4) { zeros() } + zeros().replace("0", "NULL")) },
            "finding runs with overdue gates" to { plans("workflow/gate_expired_runs", listOf("$SOME")) },
            "ending overdue gates" to { plans("workflow/gate_expire", listOf("'c'", "'c'", "'m'", some("run"), "$SOME")) },
            "freeing active keys" to { plans("workflow/active_release", listOf("$SOME")) },
            "finding the jobs of a run" to { plans("control/run_jobs", listOf(id("SELECT run FROM made LIMIT 1"))) },
            "canceling the steps of a run" to {
                plans("control/run_cancel_steps", listOf("'r'", "NULL", "NULL", id("SELECT run FROM made LIMIT 1")))
            },
            "pausing a run" to { plans("workflow/run_pause", listOf(id("SELECT run FROM made WHERE live LIMIT 1"), "'r'")) },
            "resuming a run" to { plans("workflow/run_resume", listOf(id("SELECT run FROM made WHERE live LIMIT 1"), "'r'")) },
            "going on from the jobs before a reset" to { plans("workflow/step_resume", listOf(some("a"), some("job"))) },
            "resetting the steps of a run" to { plans("workflow/run_reset", resetting(id("SELECT run FROM made LIMIT 1"))) },
        ).forEach { (what, plans) ->
            test("$what reads no table from end to end") {
                plans().forEach { plan ->
                    withClue(plan) {
                        plan.text shouldNotContain Regex("Seq Scan on (workflow_|job_queue)")
                        plan.pages shouldBeLessThan 60L * SOME
                    }
                }
            }
        }

        val run = { id("SELECT run FROM wide") }
        mapOf<String, () -> List<Explained>>(
            "a fan-out" to { advance(listOf(ids("SELECT run FROM wide"), ids("SELECT a FROM wide"), succeeded(1))) },
            "a claim of what it set free" to {
                // Of a priority of their own, so that none of the other runs is claimed in their place.
                val released = "INSERT INTO runledger.job_queue (id, is_step, job_type, max_attempts, priority) " +
                    "SELECT job, true, 'work', 3, 900 FROM wide_middle"
                val claim = listOf("'{work}'", "'{NULL}'") + List(2) { "$WIDTH" } + listOf("'w1'", "60", "60", "'DIRECT'")
                plans("claim/claim", claim, before = released)
            },
            "a fan-in" to {
                advance(listOf(ids("SELECT run FROM wide, wide_middle"), ids("SELECT id FROM wide_middle"), succeeded(WIDTH)))
            },
            "a cancellation" to { plans("control/run_cancel_steps", listOf("'r'", "NULL", "NULL", run())) },
            "a reset" to {
                val canceled = "UPDATE runledger.workflow_step_rows SET status = 'CANCELED', finished_at = now() " +
                    "WHERE workflow_run_id = ${run()}"
                plans("workflow/run_reset", resetting(run()), before = canceled)
            },
            "reading what many prerequisites left" to {
                plans("workflow/prerequisites", listOf(id("SELECT last_job FROM wide")))
            },
        ).forEach { (what, plans) ->
            test("$what costs in proportion to the size of the run") {
                plans().forEach { plan ->
                    withClue(plan) {
                        plan.pages shouldBeLessThan 120L * WIDTH
                        plan.wasted shouldBeLessThan 20L * WIDTH
                    }
                }
            }
        }
    })

private val settings = mapOf(
    "custom" to "SET LOCAL plan_cache_mode = force_custom_plan",
    "generic" to "SET LOCAL plan_cache_mode = force_generic_plan",
    "kept" to KEEP_PLAN,
)

private class Explained(private val kind: String, private val lines: List<String>) {
    val text = lines.joinToString("\n")

    /** The pages that were read, found in memory or not, by the most expensive part of it. */
    val pages: Long = Regex("""Buffers: shared ([^\n]*)""").findAll(text).maxOfOrNull { buffers ->
        Regex("""(?:hit|read)=(\d+)""").findAll(buffers.groupValues[1]).sumOf { it.groupValues[1].toLong() }
    } ?: 0

    /** The rows that were read or compared without a match. */
    val wasted: Long = run {
        var loops = 1L
        lines.sumOf { line ->
            Regex("""loops=(\d+)""").find(line)?.let { loops = it.groupValues[1].toLong() }
            Regex("""Rows Removed by (?:Join )?Filter: (\d+)""").find(line)?.let { it.groupValues[1].toLong() * loops } ?: 0L
        }
    }

    override fun toString() = "the $kind plan\n" + lines.joinToString("\n") { it.take(160) }
}

private const val RUNS = 34_000
private const val SOME = 500
private const val WIDTH = 3_000

/** Runs of three steps: a job, a gate, and a gate that waits for both. Every twentieth is live. */
private val manyRuns = arrayOf(
    """CREATE TABLE made AS SELECT n, n % 20 = 0 AS live, gen_random_uuid() AS run, gen_random_uuid() AS a, gen_random_uuid() AS g,
        gen_random_uuid() AS z, gen_random_uuid() AS job FROM generate_series(1, $RUNS) n""",
    """INSERT INTO runledger.workflow_runs (id, workflow_type, status, open_steps, active_steps, waiting_steps, finished_at)
        SELECT run, 'w', CASE WHEN live THEN 'RUNNING' ELSE 'SUCCEEDED' END::runledger.workflow_run_status,
            3 * live::int, live::int, live::int, CASE WHEN NOT live THEN now() END FROM made""",
    """INSERT INTO runledger.job_queue (id, is_step, job_type, max_attempts, attempt, status, finished_at)
        SELECT job, true, 'work', 3, 1, CASE WHEN live THEN 'PENDING' ELSE 'SUCCEEDED' END::runledger.job_status,
            CASE WHEN NOT live THEN now() END FROM made""",
    """INSERT INTO runledger.workflow_step_rows (id, workflow_run_id, ordinal, step_key, status, job_id, job_type, priority, max_attempts,
            timeout_seconds, stage)
        SELECT a, run, 0, 'a', 'BLOCKED', job, 'work', 1, 3, 60, 'queued' FROM made""",
    """INSERT INTO runledger.workflow_step_rows (id, workflow_run_id, ordinal, step_key, execution_kind, status, released_at, finished_at,
            expires_after_seconds, expiry_outcome, expires_at)
        SELECT g, run, 1, 'g', 'EXTERNAL', CASE WHEN live THEN 'WAITING_FOR_EXTERNAL' ELSE 'SUCCEEDED'
            END::runledger.workflow_step_status, now(), CASE WHEN NOT live THEN now() END, 60, 'FAILED',
            now() + (n - 5000) * interval '1 minute' FROM made""",
    """INSERT INTO runledger.workflow_step_rows (id, workflow_run_id, ordinal, step_key, execution_kind, status, finished_at,
            dependency_count_total, dependency_count_pending)
        SELECT z, run, 2, 'z', 'EXTERNAL', CASE WHEN live THEN 'BLOCKED' ELSE 'SUCCEEDED' END::runledger.workflow_step_status,
            CASE WHEN NOT live THEN now() END, 2, 2 * live::int FROM made""",
    """INSERT INTO runledger.workflow_step_dependencies (workflow_run_id, prerequisite_step_id, dependent_step_id)
        SELECT run, a, z FROM made UNION ALL SELECT run, g, z FROM made""",
    """INSERT INTO runledger.workflow_active_claims (workflow_run_id, scope, active_key, release_pending)
        SELECT run, 'global', 'k' || n, n <= 20 FROM made WHERE live OR n <= 20""",
)

/** One run of a job, very many that wait for it, and one that waits for those. */
private val wideRun = arrayOf(
    "CREATE TABLE wide AS SELECT gen_random_uuid() AS run, gen_random_uuid() AS a, gen_random_uuid() AS z, gen_random_uuid() AS job, " +
        "gen_random_uuid() AS last_job",
    "CREATE TABLE wide_middle AS SELECT n, gen_random_uuid() AS id, gen_random_uuid() AS job FROM generate_series(1, $WIDTH) n",
    """INSERT INTO runledger.workflow_runs (id, workflow_type, open_steps, active_steps) SELECT run, 'wide', $WIDTH + 2, 1
        FROM wide""",
    "INSERT INTO runledger.job_queue (id, is_step, job_type, max_attempts) SELECT job, true, 'work', 3 FROM wide",
    """INSERT INTO runledger.workflow_step_rows (id, workflow_run_id, ordinal, step_key, job_id, job_type, priority, max_attempts,
            timeout_seconds, stage, dependency_count_total, dependency_count_pending)
        SELECT a, run, 0, 'a', job, 'work', 1, 3, 60, 'queued', 0, 0 FROM wide
        UNION ALL SELECT m.id, run, n, 'm' || n, m.job, 'work', 1, 3, 60, 'queued', 1, 1 FROM wide, wide_middle m
        UNION ALL SELECT z, run, $WIDTH + 1, 'z', last_job, 'work', 1, 3, 60, 'queued', $WIDTH, $WIDTH FROM wide""",
    """INSERT INTO runledger.workflow_step_dependencies (workflow_run_id, prerequisite_step_id, dependent_step_id)
        SELECT run, a, id FROM wide, wide_middle UNION ALL SELECT run, id, z FROM wide, wide_middle""",
)

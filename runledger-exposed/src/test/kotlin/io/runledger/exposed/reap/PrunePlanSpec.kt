package io.runledger.exposed.reap

import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.longs.shouldBeLessThan
import io.kotest.matchers.string.shouldNotContain
import io.runledger.exposed.Plan
import io.runledger.exposed.TestLedger
import io.runledger.exposed.define
import io.runledger.exposed.freshLedger
import io.runledger.exposed.plan
import io.runledger.exposed.planRows
import io.runledger.exposed.sql.Binder
import java.time.Duration
import java.util.UUID

/** The pages that the janitor reads to find 100 rows must not grow with the rows that it keeps, however old they are. */
class PrunePlanSpec :
    FunSpec({
        val month = Duration.ofDays(30).toNanos() / 1_000

        /** Ids contain their time, like those of the library: 90 days ago. */
        val oldId = "(lpad(to_hex((extract(epoch FROM now() - interval '90 days') * 1000)::bigint + n), 12, '0') || " +
            "'7' || substr(md5(random()::text), 1, 19))::uuid"

        fun TestLedger.jobs(count: Long, columns: String, values: String) = run(
            """
            INSERT INTO runledger.job_queue (id, job_type, max_attempts, $columns)
            SELECT $oldId, 'mail', 3, $values FROM generate_series(1, $count) n
            """,
            "VACUUM ANALYZE runledger.job_queue",
        )

        fun TestLedger.runs(count: Long, values: String) = run(
            """
            INSERT INTO runledger.workflow_runs (id, workflow_type, status, finished_at)
            SELECT $oldId, 'flow', $values FROM generate_series(1, $count) n
            """,
            "VACUUM ANALYZE runledger.workflow_runs",
        )

        fun TestLedger.jobPlan(): Plan = plan("reap/prune_pick") {
            pick(month)
        }

        fun TestLedger.runPlan(): Plan = plan("reap/prune_runs_pick") {
            pick(month)
        }

        fun TestLedger.firePlan(): Plan = plan("reap/prune_fires") {
            long("age_us", month)
            int("limit", 100)
            bool("of_triggers", false)
        }

        fun shouldStayFlat(what: String, alone: Plan, beside: Plan, table: String) {
            println("PLAN pruning of 100 beside $planRows $what: ${beside.pages} pages, alone: ${alone.pages}")
            beside.text shouldNotContain "Seq Scan on $table"
            beside.pages shouldBeLessThan alone.pages * 2 + 600
        }

        mapOf<String, TestLedger.() -> Unit>(
            "dead letters" to { jobs(planRows, "status, finished_at", "'DEAD_LETTERED', now() - interval '80 days'") },
            "jobs of workflow steps" to {
                jobs(planRows, "status, finished_at, is_step", "'SUCCEEDED', now() - interval '80 days', true")
            },
            "waiting jobs" to { jobs(planRows, "status, next_run_at", "'PENDING', now() + interval '80 days'") },
            "jobs that ended lately" to { jobs(planRows, "status, finished_at", "'SUCCEEDED', now() - interval '1 day'") },
            "jobs to prune" to { jobs(planRows, "status, finished_at", "'SUCCEEDED', now() - interval '40 days'") },
        ).forEach { (what, fill) ->
            test("the pick of jobs does not read more beside $what") {
                val ledger = freshLedger().apply { define("mail") }
                ledger.jobs(200, "status, finished_at", "'SUCCEEDED', now() - interval '80 days'")
                val alone = ledger.jobPlan()
                ledger.fill()

                shouldStayFlat(what, alone, ledger.jobPlan(), "job_queue")
            }
        }

        mapOf<String, TestLedger.() -> Unit>(
            "runs that ended otherwise" to { runs(planRows, "'COMPLETED_WITH_ERRORS', now() - interval '80 days'") },
            "live runs" to { runs(planRows, "'RUNNING', NULL") },
            "runs that ended lately" to { runs(planRows, "'SUCCEEDED', now() - interval '1 day'") },
            "runs to prune" to { runs(planRows, "'SUCCEEDED', now() - interval '40 days'") },
        ).forEach { (what, fill) ->
            test("the pick of runs does not read more beside $what") {
                val ledger = freshLedger()
                ledger.runs(200, "'SUCCEEDED', now() - interval '80 days'")
                val alone = ledger.runPlan()
                ledger.fill()

                shouldStayFlat(what, alone, ledger.runPlan(), "workflow_runs")
            }
        }

        mapOf(
            "lines of this month" to "now() - n * interval '1 second' / 100, now()",
            "lines to prune" to "now() - interval '80 days' + n * interval '1 ms', now() - interval '40 days'",
        ).forEach { (what, times) ->
            test("the pick of lines of schedules' histories does not read more beside $what") {
                val ledger = freshLedger().apply { define("mail") }
                ledger.run(
                    "INSERT INTO runledger.job_schedules (id, name, job_type, interval_seconds, next_fire_at) " +
                        "SELECT gen_random_uuid(), 's' || n, 'mail', 60, now() FROM generate_series(1, 20) n",
                    "INSERT INTO runledger.job_schedule_fires (schedule_id, scheduled_for, fired_at, outcome) " +
                        "SELECT s.id, at, at, 'FIRED' FROM runledger.job_schedules s, generate_series(1, 10) n, " +
                        "LATERAL (SELECT now() - interval '90 days' - n * interval '1 day' AS at) t",
                    "VACUUM ANALYZE runledger.job_schedule_fires",
                )
                val alone = ledger.firePlan()
                ledger.run(
                    "INSERT INTO runledger.job_schedule_fires (schedule_id, scheduled_for, fired_at, outcome) " +
                        "SELECT s.id, $times, 'FIRED' FROM runledger.job_schedules s, generate_series(1, ${planRows / 20}) n",
                    "VACUUM ANALYZE runledger.job_schedule_fires",
                )

                shouldStayFlat(what, alone, ledger.firePlan(), "job_schedule_fires")
            }
        }
    })

private fun Binder.pick(age: Long) {
    long("age_us", age)
    instant("after_at", null)
    uuid("after_id", UUID(0, 0))
    texts("statuses", listOf("SUCCEEDED"))
    int("limit", 100)
}

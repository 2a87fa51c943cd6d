package io.runledger.exposed.claim

import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.longs.shouldBeLessThan
import io.kotest.matchers.string.shouldContain
import io.kotest.matchers.string.shouldNotContain
import io.runledger.exposed.Plan
import io.runledger.exposed.TestLedger
import io.runledger.exposed.claimPlan
import io.runledger.exposed.define
import io.runledger.exposed.freshLedger
import io.runledger.exposed.plan
import io.runledger.exposed.planRows
import io.runledger.exposed.schema.SchemaName
import io.runledger.exposed.sql.KEEP_PLAN
import io.runledger.exposed.sql.NamedParameters
import io.runledger.exposed.sql.Statements
import java.sql.Connection

/** The pages that a claim of 100 jobs reads must not grow with the other rows of the table. */
class ClaimPlanSpec :
    FunSpec({
        fun TestLedger.jobs(count: Long, columns: String) = run(
            """
            INSERT INTO runledger.job_queue (id, job_type, max_attempts, priority, status, finished_at, next_run_at, is_paused)
            SELECT gen_random_uuid(), $columns FROM generate_series(1, $count) n
            """,
            "VACUUM ANALYZE runledger.job_queue",
        )

        val due = "'mail', 1, 100, 'PENDING', NULL, now() - n * interval '1 ms', false"
        mapOf(
            "finished jobs" to "'mail', 1, 100, 'SUCCEEDED', now(), now() - interval '1 day', false",
            "far-future jobs of high priority" to "'mail', 1, 200, 'PENDING', NULL, now() + interval '1 day', false",
            "far-future jobs of a thousand high priorities" to
                "'mail', 1, 200 + n % 1000, 'PENDING', NULL, now() + interval '1 day', false",
            "far-future jobs of as many priorities" to
                "'mail', 1, 200 + n, 'PENDING', NULL, now() + n * interval '1 minute', false",
            "jobs of types this worker does not handle" to "'crawl', 1, 500, 'PENDING', NULL, now() - interval '1 day', false",
            "due jobs of paused runs" to "'mail', 1, 500, 'PENDING', NULL, now() - interval '1 day', true",
            "backlog of the same type" to due,
        ).forEach { (what, columns) ->
            test("a claim does not read more beside $what") {
                val ledger = freshLedger().apply { define("mail", "crawl") }
                ledger.jobs(200, due)
                val alone = ledger.claimPlan()
                ledger.jobs(planRows, columns)

                val beside = ledger.claimPlan()

                println("PLAN claim of 100 beside $planRows $what: ${beside.pages} pages, alone: ${alone.pages}")
                beside.text shouldContain "idx_job_queue_claim"
                beside.text shouldNotContain "Seq Scan on job_queue"
                // Deeper trees and colder pages cost a little; anything that grew with the rows would cost thousands.
                beside.pages shouldBeLessThan alone.pages * 2 + 600
            }
        }

        test("a claim does not read more beside far-future priorities and a backlog that was put off and has become due") {
            val ledger = freshLedger().apply { define("mail") }
            ledger.jobs(200, due)
            ledger.run(
                "UPDATE runledger.job_queue SET updated_at = next_run_at - interval '1 hour'",
                "VACUUM ANALYZE runledger.job_queue",
            )
            val alone = ledger.claimPlan()
            ledger.jobs(planRows, "'mail', 1, 200 + n % 1000, 'PENDING', NULL, now() + interval '1 day', false")

            val beside = ledger.claimPlan()

            println(
                "PLAN claim of 100 overdue beside $planRows far-future jobs of 1000 priorities: ${beside.pages} pages, alone: ${alone.pages}",
            )
            beside.text shouldNotContain "Seq Scan on job_queue"
            beside.pages shouldBeLessThan alone.pages * 2 + 600
        }

        test("the next due time is found with a few pages beside far-future jobs of any number of priorities") {
            val ledger = freshLedger().apply { define("mail") }
            ledger.jobs(planRows, "'mail', 1, n, 'PENDING', NULL, now() + n * interval '1 minute', false")

            val look = ledger.plan("claim/next_due") {
                texts("job_types", listOf("mail"))
                bool("with_flow", true)
            }

            println("PLAN next due time beside $planRows far-future jobs of as many priorities: ${look.pages} pages")
            look.pages shouldBeLessThan 30
        }

        test("a plan that was made while the ledger was empty does for a full one") {
            val ledger = freshLedger().apply { define("mail") }
            // New statistics would make the server plan again. So would autovacuum, at an unknown time.
            ledger.run("ALTER TABLE runledger.job_queue SET (autovacuum_enabled = off)", "VACUUM ANALYZE runledger.job_queue")
            ledger.database.connect().use { worker ->
                worker.autoCommit = false
                val claim = KeptClaim(worker)
                claim.plan() shouldContain "idx_job_queue_claim"
                ledger.run(
                    "INSERT INTO runledger.job_queue (job_type, max_attempts, next_run_at) " +
                        "SELECT 'mail', 1, now() - interval '1 s' FROM generate_series(1, $planRows) n",
                )

                val plan = claim.plan()

                plan shouldNotContain "Seq Scan on job_queue"
                plan shouldNotContain "Bitmap"
                Plan(plan).pages shouldBeLessThan 5_000
            }
        }
    })

/** The claim of 100 jobs on one connection: prepared once, and planned like other claims. */
private class KeptClaim(private val connection: Connection) {
    init {
        val sql = NamedParameters.of(Statements(SchemaName.DEFAULT)["claim/claim"]).text
        var position = 0
        run("PREPARE claim AS " + Regex("""\?""").replace(sql) { "\$${++position}" })
    }

    fun plan(): String {
        run(KEEP_PLAN)
        val plan = run(
            "EXPLAIN (ANALYZE, BUFFERS, TIMING OFF, COSTS OFF) " +
                "EXECUTE claim (ARRAY['mail'], ARRAY[NULL::int], 100, 100, 'w1', 60, 60, 'DIRECT')",
        )
        connection.rollback()
        return plan
    }

    private fun run(sql: String): String = connection.createStatement().use { statement ->
        if (!statement.execute(sql)) return ""
        statement.resultSet.use { lines -> buildString { while (lines.next()) appendLine(lines.getString(1)) } }
    }
}

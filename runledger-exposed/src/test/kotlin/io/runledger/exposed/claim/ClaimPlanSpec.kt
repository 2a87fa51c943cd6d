package io.runledger.exposed.claim

import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.longs.shouldBeLessThan
import io.kotest.matchers.string.shouldContain
import io.kotest.matchers.string.shouldNotContain
import io.runledger.exposed.TestLedger
import io.runledger.exposed.define
import io.runledger.exposed.freshLedger
import io.runledger.exposed.schema.SchemaName
import io.runledger.exposed.sql.Binder
import io.runledger.exposed.sql.Statements

/**
 * What a claim of 100 jobs reads must not grow with what lies beside them. Pages read are counted, not time, so the machine's mood
 * does not matter. `-Drunledger.plan-rows=1000000` gives the figures in docs/performance.md.
 */
class ClaimPlanSpec :
    FunSpec({
        val rows = System.getProperty("runledger.plan-rows")?.toLong() ?: 20_000L

        fun TestLedger.jobs(count: Long, columns: String) = run(
            """
        INSERT INTO runledger.job_queue (id, job_type, max_attempts, priority, status, finished_at, next_run_at)
        SELECT gen_random_uuid(), $columns FROM generate_series(1, $count) n
        """,
        )

        fun TestLedger.plan(): String = database.connect().use { connection ->
            connection.autoCommit = false
            val claim = Statements(SchemaName.DEFAULT)["claim"]
            connection.prepareStatement("EXPLAIN (ANALYZE, BUFFERS, TIMING OFF, COSTS OFF) $claim").use { statement ->
                Binder(connection, statement).apply {
                    texts(listOf("mail"))
                    int(100)
                    int(100)
                    text("w1")
                    int(60)
                    int(60)
                    text("DIRECT")
                }
                statement.executeQuery().use { lines -> buildString { while (lines.next()) appendLine(lines.getString(1)) } }
            }.also { connection.rollback() }
        }

        fun pages(plan: String): Long = Regex("""Buffers: shared hit=(\d+)(?: read=(\d+))?""").find(plan)!!.groupValues.drop(1)
            .sumOf { it.toLongOrNull() ?: 0L }

        val due = "'mail', 1, 100, 'PENDING', NULL, now() - n * interval '1 ms'"
        mapOf(
            "finished jobs" to "'mail', 1, 100, 'SUCCEEDED', now(), now() - interval '1 day'",
            "far-future jobs of high priority" to "'mail', 1, 200, 'PENDING', NULL, now() + interval '1 day'",
            "jobs of types this worker does not handle" to "'crawl', 1, 500, 'PENDING', NULL, now() - interval '1 day'",
            "backlog of the same type" to due,
        ).forEach { (what, columns) ->
            test("a claim does not read more beside $what") {
                val ledger = freshLedger().apply { define("mail", "crawl") }
                ledger.jobs(200, due)
                ledger.run("VACUUM ANALYZE runledger.job_queue")
                val alone = pages(ledger.plan())
                ledger.jobs(rows, columns)
                ledger.run("VACUUM ANALYZE runledger.job_queue")

                val plan = ledger.plan()

                println("PLAN claim of 100 beside $rows $what: ${pages(plan)} pages, alone: $alone")
                plan shouldContain "idx_job_queue_claim"
                plan shouldNotContain "Seq Scan on job_queue"
                // Deeper trees and colder pages cost a little; anything that grew with the rows would cost thousands.
                pages(plan) shouldBeLessThan alone * 2 + 600
            }
        }
    })

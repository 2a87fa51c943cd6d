package io.runledger.exposed.claim

import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.longs.shouldBeLessThan
import io.kotest.matchers.string.shouldContain
import io.kotest.matchers.string.shouldNotContain
import io.runledger.exposed.TestLedger
import io.runledger.exposed.claimPlan
import io.runledger.exposed.define
import io.runledger.exposed.freshLedger
import io.runledger.exposed.planRows

/** What a claim of 100 jobs reads must not grow with what lies beside them. */
class ClaimPlanSpec :
    FunSpec({
        fun TestLedger.jobs(count: Long, columns: String) = run(
            """
            INSERT INTO runledger.job_queue (id, job_type, max_attempts, priority, status, finished_at, next_run_at)
            SELECT gen_random_uuid(), $columns FROM generate_series(1, $count) n
            """,
            "VACUUM ANALYZE runledger.job_queue",
        )

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
    })

package io.runledger.exposed.reap

import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.longs.shouldBeLessThan
import io.kotest.matchers.string.shouldContain
import io.kotest.matchers.string.shouldNotContain
import io.runledger.exposed.Plan
import io.runledger.exposed.TestLedger
import io.runledger.exposed.define
import io.runledger.exposed.freshLedger
import io.runledger.exposed.leases
import io.runledger.exposed.plan
import io.runledger.exposed.planRows
import java.util.UUID

/** The pages that a reaping of 100 jobs reads must not grow with the other rows: an index finds the expired leases. */
class ReapPlanSpec :
    FunSpec({
        fun TestLedger.jobs(count: Long, columns: String, values: String) = run(
            """
            INSERT INTO runledger.job_queue (id, job_type, max_attempts, attempt, $columns)
            SELECT gen_random_uuid(), 'mail', 3, 1, $values FROM generate_series(1, $count) n
            """,
            "VACUUM ANALYZE runledger.job_queue",
        )

        fun TestLedger.leases(count: Long, expiry: String) = jobs(
            count,
            "status, lease_id, worker_id, leased_at, lease_seconds, claim_origin, lease_expires_at",
            "'LEASED', gen_random_uuid(), 'w', now(), 60, 'DIRECT', $expiry",
        )

        fun TestLedger.takePlan(): Plan = plan("reap/reap_take") {
            bool("is_step", false)
            uuidsOrNull("job_ids", null)
            int("limit", 100)
        }

        /** The rows that the statement above would have claimed. */
        fun TestLedger.longestExpired(): List<UUID> =
            rows("SELECT id FROM runledger.job_queue WHERE status = 'LEASED' ORDER BY lease_expires_at LIMIT 100")
                .map(UUID::fromString)

        fun TestLedger.endPlan(): Plan {
            val jobs = longestExpired()
            return plan("reap/reap") {
                text("error_code", "job.lease_expired")
                text("error_message", "gone")
                uuids("job_ids", jobs)
                texts("results", jobs.map { "RETRY_SCHEDULED" })
                texts("letter_reasons", jobs.map { null })
                longs("delays_us", jobs.map { 1_000_000 })
                bools("by_policy", jobs.map { false })
            }
        }

        mapOf<String, TestLedger.() -> Unit>(
            "finished jobs" to { jobs(planRows, "status, finished_at", "'SUCCEEDED', now()") },
            "waiting jobs" to { jobs(planRows, "status", "'PENDING'") },
            "live leases" to { leases(planRows, "now() + interval '1 hour'") },
            "other expired leases" to { leases(planRows, "now() - interval '1 minute'") },
        ).forEach { (what, fill) ->
            test("a reaping does not read more beside $what") {
                val ledger = freshLedger().apply { define("mail") }
                ledger.leases(200, "now() - n * interval '1 hour'")
                val alone = ledger.takePlan().pages + ledger.endPlan().pages
                ledger.fill()

                val take = ledger.takePlan()
                val end = ledger.endPlan()

                val beside = take.pages + end.pages
                println("PLAN reaping of 100 beside $planRows $what: $beside pages, alone: $alone")
                take.text shouldContain "Index Scan using idx_job_queue_leased_expiry"
                take.text + end.text shouldNotContain "Seq Scan on job_queue"
                beside shouldBeLessThan alone * 2 + 600
            }
        }
    })

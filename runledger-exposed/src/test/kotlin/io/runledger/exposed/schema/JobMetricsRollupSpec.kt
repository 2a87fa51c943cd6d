package io.runledger.exposed.schema

import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.collections.shouldBeEmpty
import io.kotest.matchers.collections.shouldContainExactly
import io.kotest.matchers.string.shouldNotContain
import io.runledger.exposed.TestLedger
import io.runledger.exposed.catalog.rows
import io.runledger.exposed.freshLedger
import java.util.UUID

class JobMetricsRollupSpec :
    FunSpec({
        val organization = UUID(9, 9)

        fun TestLedger.job(number: Long, columns: String, values: String): UUID {
            val id = UUID(1, number)
            run("INSERT INTO runledger.job_queue (id, job_type, max_attempts, $columns) VALUES ('$id', 't', 3, $values)")
            return id
        }

        fun TestLedger.attempt(job: UUID, attempt: Int, outcome: String, seconds: Int, hoursAgo: Int = 1) = run(
            """INSERT INTO runledger.job_attempts (job_id, run_number, attempt, leased_at, started_at, finished_at, lease_seconds,
                    outcome, worker_id)
                    SELECT '$job', 1, $attempt, ended, ended - interval '$seconds s', ended, 30, '$outcome', 'w'
                    FROM (SELECT now() - interval '$hoursAgo hours' AS ended) AS t""",
        )

        fun TestLedger.deadLetter(job: UUID, run: Int = 1) = run(
            """INSERT INTO runledger.job_dead_letters (job_id, run_number, attempt, failed_at, kind, job_type, reason,
                payload_snapshot)
                    VALUES ('$job', $run, 1, now(), 'TERMINAL', 't', 'FAILURE_KIND_NON_RETRYABLE', '{}')""",
        )

        test("an empty ledger has nothing to count") {
            freshLedger().rows("SELECT * FROM runledger.job_metrics_rollup").shouldBeEmpty()
        }

        test("organizations are added up, not compared with each other") {
            freshLedger().rows("EXPLAIN SELECT * FROM runledger.job_metrics_rollup").joinToString("\n") shouldNotContain
                "DISTINCT"
        }

        test("a day is counted per organization and job type") {
            val ledger = freshLedger()
            ledger.run("INSERT INTO runledger.job_definitions (job_type) VALUES ('t')")
            val leased = "status, attempt, lease_id, worker_id, leased_at, lease_seconds, claim_origin, lease_expires_at"
            val lease = "'LEASED', 1, gen_random_uuid(), 'w', now(), 30, 'DIRECT', now()"
            ledger.job(1, "next_run_at", "now()")
            ledger.job(2, "next_run_at", "now() + interval '1 day'")
            ledger.job(3, leased, "$lease + interval '1 min'")
            ledger.job(4, leased, "$lease - interval '1 min'")
            val succeeded = ledger.job(5, "status, attempt, finished_at", "'SUCCEEDED', 2, now()")
            ledger.attempt(succeeded, 1, "RETRYABLE", seconds = 1)
            ledger.attempt(succeeded, 2, "SUCCEEDED", seconds = 3)
            val old = ledger.job(6, "status, attempt, finished_at", "'SUCCEEDED', 1, now()")
            ledger.attempt(old, 1, "SUCCEEDED", seconds = 900, hoursAgo = 25)
            val dead = ledger.job(
                7,
                "status, attempt, finished_at, organization_id",
                "'DEAD_LETTERED', 3, now(), '$organization'",
            )
            ledger.attempt(dead, 1, "PANICKED", seconds = 2)
            ledger.attempt(dead, 2, "TIMEOUT", seconds = 2)
            ledger.attempt(dead, 3, "TERMINAL", seconds = 2)
            ledger.deadLetter(dead)
            ledger.run("UPDATE runledger.job_dead_letters SET organization_id = '$organization'")
            val requeued = ledger.job(8, "run_number", "2")
            ledger.deadLetter(requeued)

            ledger.rows(
                """SELECT organization_id, job_type, pending_count, leased_count, stale_leases, succeeded_24h, retryable_24h,
                    terminal_24h,
                    panicked_24h, timeout_24h, lease_expired_24h, dead_lettered_24h, p50_duration_ms_24h, p95_duration_ms_24h
                    FROM runledger.job_metrics_rollup ORDER BY organization_id NULLS FIRST""",
            ) shouldContainExactly listOf(
                "|t|3|2|1|1|1|0|0|0|0|0|2000|2900",
                "$organization|t|0|0|0|0|0|1|1|1|0|1|2000|2000",
            )
        }
    })

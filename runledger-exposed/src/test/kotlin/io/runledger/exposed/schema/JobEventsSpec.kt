package io.runledger.exposed.schema

import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.collections.shouldContainExactly
import io.kotest.matchers.shouldBe
import io.runledger.exposed.TestLedger
import io.runledger.exposed.catalog.rows
import io.runledger.exposed.freshLedger
import java.util.UUID

class JobEventsSpec :
    FunSpec({
        val job = UUID(7, 7)

        fun TestLedger.attempt(run: Int, attempt: Int, outcome: String, started: String = "NULL", retryDelay: String = "NULL") =
            run(
                """INSERT INTO runledger.job_attempts (job_id, run_number, attempt, leased_at, started_at, finished_at,
                    lease_seconds, outcome, worker_id, execution_started_persisted_at, retry_delay_ms)
                    VALUES ('$job', $run, $attempt, now(), now(), now(), 30, '$outcome', 'w$attempt', $started, $retryDelay)""",
            )

        fun TestLedger.story() =
            rows("SELECT id, event_type, run_number, attempt, stage FROM runledger.job_events WHERE job_id = '$job' ORDER BY id")

        // The times of these events run backwards: the order must come from the events, not from their times.
        test("a job's story is told in order: failed, dead-lettered, requeued, given back, succeeded") {
            val ledger = freshLedger()
            ledger.run(
                "INSERT INTO runledger.job_definitions (job_type) VALUES ('t')",
                """INSERT INTO runledger.job_queue (id, job_type, max_attempts, status, run_number, attempt, interruptions,
                    created_at, finished_at, stage, initial_stage)
                    VALUES ('$job', 't', 2, 'SUCCEEDED', 2, 2, 1,
                    now() + interval '1 day', now() - interval '1 day', 'completed', 'fresh')""",
            )
            ledger.attempt(1, 1, "RETRYABLE", started = "now()", retryDelay = "1000")
            ledger.attempt(1, 2, "TERMINAL")
            ledger.attempt(2, 1, "INTERRUPTED")
            ledger.attempt(2, 2, "SUCCEEDED", started = "now()")
            ledger.run(
                "INSERT INTO runledger.job_journal (job_id, run_number, attempt, event_type, stage) VALUES " +
                    "('$job', 1, 1, 'PROGRESS', 'half'), ('$job', 1, 1, 'STAGE_CHANGED', 'done'), " +
                    "('$job', 1, 2, 'REQUEUED', 'queued')",
                """INSERT INTO runledger.job_dead_letters (job_id, run_number, attempt, failed_at, kind, job_type, reason,
                    payload_snapshot)
                    VALUES ('$job', 1, 2, now(), 'TERMINAL', 't', 'FAILURE_KIND_NON_RETRYABLE', '{}')""",
            )

            ledger.story() shouldContainExactly listOf(
                "1|ENQUEUED|1||fresh",
                "2|LEASED|1|1|fresh",
                "3|STAGE_CHANGED|1|1|running",
                "4|PROGRESS|1|1|half",
                "5|STAGE_CHANGED|1|1|done",
                "6|FAILED|1|1|",
                "7|RETRY_SCHEDULED|1|1|",
                "8|LEASED|1|2|done",
                "9|FAILED|1|2|",
                "10|DEAD_LETTERED|1|2|",
                "11|REQUEUED|1|2|queued",
                "12|LEASED|2|1|queued",
                "13|REQUEUED|2|1|",
                "14|LEASED|2|2|queued",
                "15|STAGE_CHANGED|2|2|running",
                "16|SUCCEEDED|2|2|completed",
            )
        }

        test("an open attempt is told from the job's own row") {
            val ledger = freshLedger()
            ledger.run(
                "INSERT INTO runledger.job_definitions (job_type) VALUES ('t')",
                """INSERT INTO runledger.job_queue (id, job_type, max_attempts, status, attempt, lease_id, worker_id, leased_at,
                    lease_expires_at, lease_seconds, claim_origin, execution_started_persisted_at)
                    VALUES ('$job', 't', 2, 'LEASED', 1, gen_random_uuid(), 'w1', now(),
                    now() + interval '1 min', 60, 'DIRECT', now())""",
            )

            ledger.story() shouldContainExactly
                listOf("1|ENQUEUED|1||queued", "2|LEASED|1|1|queued", "3|STAGE_CHANGED|1|1|running")
            ledger.value("SELECT payload FROM runledger.job_events WHERE event_type = 'LEASED'") shouldBe
                """{"worker_id": "w1", "lease_duration_seconds": 60}"""
        }

        test("a vanished worker's attempt says whether it ever renewed its lease") {
            val ledger = freshLedger()
            ledger.run(
                "INSERT INTO runledger.job_definitions (job_type) VALUES ('t')",
                "INSERT INTO runledger.job_queue (id, job_type, max_attempts, attempt) VALUES ('$job', 't', 2, 1)",
            )
            ledger.attempt(1, 1, "LEASE_EXPIRED", started = "now()", retryDelay = "5000")

            ledger.story().map { it.split('|')[1] } shouldContainExactly
                listOf("ENQUEUED", "LEASED", "STAGE_CHANGED", "FAILED", "RETRY_SCHEDULED")
            ledger.value(
                "SELECT payload->>'started_without_renewal_heartbeat' FROM runledger.job_events WHERE event_type = 'FAILED'",
            ) shouldBe
                "true"
        }
    })

package io.runledger.exposed.settle

import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.collections.shouldBeEmpty
import io.kotest.matchers.collections.shouldContainExactly
import io.kotest.matchers.shouldBe
import io.runledger.exposed.TestLedger
import io.runledger.exposed.claim
import io.runledger.exposed.counting
import io.runledger.exposed.define
import io.runledger.exposed.enqueue
import io.runledger.exposed.freshLedger
import io.runledger.exposed.leases
import io.runledger.model.failure.JobFailure
import io.runledger.model.handler.NotBefore
import io.runledger.model.job.DeadLetterReason
import io.runledger.model.job.Progress
import io.runledger.model.json.Payload
import io.runledger.model.lease.ClaimedJob
import io.runledger.model.lease.ProgressReport
import io.runledger.model.lease.SettledJob.Result
import io.runledger.model.lease.Verdict
import java.time.Duration
import java.time.Instant

/** A value that no codec can encode. */
class Unspeakable {
    val word: String get() = error("cannot be said")
}

/** A settlement that the ledger cannot write as requested ends its own job and does not affect the others. */
class SettleMistakesSpec :
    FunSpec({
        val broken = JobFailure.retryable("smtp.down", "no answer")

        fun TestLedger.three(): List<ClaimedJob> {
            define("mail")
            repeat(3) { enqueue() }
            return claim()
        }

        fun TestLedger.settleMiddle(jobs: List<ClaimedJob>, verdict: Verdict): List<Result> {
            val verdicts = jobs.associate { job -> job.lease() to if (job == jobs[1]) verdict else Verdict.Succeed(null) }
            return client.leases.settle(verdicts).map { it.result() }
        }

        fun TestLedger.deadLetter() = value("SELECT kind, reason, error_code FROM runledger.job_dead_letters")

        val aroundDeadLetter = listOf(Result.SUCCEEDED, Result.DEAD_LETTERED, Result.SUCCEEDED)

        listOf(
            Verdict.Succeed(Payload.json("1")).counting(Progress(5, null)),
            Verdict.Continue(Payload.json("[2]"), Payload.json("3"), Duration.ZERO).counting(Progress(5, null)),
        ).forEach { verdict ->
            test("counts that only the stored total makes wrong end a ${verdict.kind()} as one terminal failure") {
                val ledger = freshLedger()
                val jobs = ledger.three()
                ledger.client.leases.report(ProgressReport.of(jobs[1].lease(), Progress.of(2, 4)))

                ledger.settleMiddle(jobs, verdict) shouldContainExactly aroundDeadLetter

                ledger.deadLetter() shouldBe "TERMINAL|FAILURE_KIND_NON_RETRYABLE|job.invalid_completion_progress"
                ledger.value(
                    """
                    SELECT status, status_reason, last_error_code, progress_done, progress_total, payload, checkpoint, output, run_number
                    FROM runledger.job_queue WHERE status = 'DEAD_LETTERED'
                    """,
                ) shouldBe "DEAD_LETTERED|TERMINAL|job.invalid_completion_progress|2|4|{}|||1"
                ledger.value(
                    "SELECT outcome, error_code, retry_delay_ms FROM runledger.job_attempts WHERE job_id = '${jobs[1].lease().jobId()}'",
                ) shouldBe "TERMINAL|job.invalid_completion_progress|"
                ledger.rows(
                    "SELECT event_type FROM runledger.job_events WHERE job_id = '${jobs[1].lease().jobId()}' ORDER BY id",
                ) shouldContainExactly listOf("ENQUEUED", "LEASED", "PROGRESS", "FAILED", "DEAD_LETTERED")
                ledger.claim().shouldBeEmpty()
            }
        }

        test("a continuation past the last run number ends as one terminal failure") {
            val ledger = freshLedger()
            ledger.define("mail")
            repeat(3) { ledger.enqueue() }
            ledger.run("UPDATE runledger.job_queue SET run_number = 2147483647")
            val jobs = ledger.claim()

            ledger.settleMiddle(jobs, Verdict.Continue(null, null, Duration.ZERO)) shouldContainExactly aroundDeadLetter

            ledger.deadLetter() shouldBe "TERMINAL|FAILURE_KIND_NON_RETRYABLE|job.invalid_state_transition"
        }

        listOf(
            Verdict.Succeed(Payload.of(Unspeakable())) to "job.invalid_output",
            Verdict.Continue(Payload.of(Unspeakable()), null, Duration.ZERO) to "job.invalid_payload",
            Verdict.Continue(Payload.json("\"${"x".repeat(2_000_000)}\""), null, Duration.ZERO) to "job.payload_too_large",
            Verdict.Continue(null, Payload.of(Unspeakable()), Duration.ZERO) to "job.invalid_checkpoint",
            Verdict.Continue(null, null, Duration.ofSeconds(-1)) to "job.invalid_continuation_delay",
            Verdict.Continue(null, null, Duration.ofSeconds(Long.MAX_VALUE)) to "job.invalid_continuation_delay",
            Verdict.Retry(broken, Duration.ofSeconds(-1), null) to "job.invalid_retry_timing",
            Verdict.Retry(broken, Duration.ofSeconds(Long.MAX_VALUE), null) to "job.invalid_retry_timing",
            Verdict.Snooze(Duration.ofMillis(-1)) to "job.invalid_delay",
        ).forEachIndexed { number, (verdict, code) ->
            test("what no row can hold ends as one terminal failure with $code (${number + 1}, ${verdict.kind()})") {
                val ledger = freshLedger()
                val jobs = ledger.three()

                ledger.settleMiddle(jobs, verdict) shouldContainExactly aroundDeadLetter

                ledger.deadLetter() shouldBe "TERMINAL|FAILURE_KIND_NON_RETRYABLE|$code"
            }
        }

        listOf(
            "the longest delay" to Verdict.Snooze(Duration.ofDays(106_000_000)),
            "the longest retry delay" to Verdict.Retry(broken, Duration.ofDays(106_000_000), null),
            "the latest instant" to
                Verdict.Retry(broken, Duration.ZERO, NotBefore.at(Instant.parse("+294276-12-31T23:59:59.999999Z"))),
            "the first instant" to Verdict.Retry(broken, Duration.ZERO, NotBefore.at(Instant.parse("-4713-11-24T00:00:00Z"))),
            "an unstorable reason" to Verdict.Cancel("a\u0000b\uD800"),
        ).forEach { (name, verdict) ->
            test("$name is written") {
                val ledger = freshLedger()
                val expected = mapOf(
                    Verdict.Kind.SNOOZE to Result.SNOOZED,
                    Verdict.Kind.RETRY to Result.RETRY_SCHEDULED,
                    Verdict.Kind.CANCEL to Result.CANCELED,
                )

                ledger.settleMiddle(ledger.three(), verdict) shouldContainExactly
                    listOf(Result.SUCCEEDED, expected.getValue(verdict.kind()), Result.SUCCEEDED)
            }
        }

        test("the handler's instant is kept to the microsecond, in any year") {
            val ledger = freshLedger()
            val jobs = ledger.three()
            val instants = listOf("-4713-11-24T00:00:00.000001Z", "2100-02-03T04:05:06.789012Z", "+294276-12-31T23:59:59.999999Z")

            ledger.client.leases.settle(
                jobs.zip(instants) { job, at ->
                    job.lease() to Verdict.Retry(broken, Duration.ZERO, NotBefore.at(Instant.parse(at)))
                }.toMap(),
            )

            ledger.rows(
                "SELECT requested_retry_not_before AT TIME ZONE 'UTC' FROM runledger.job_attempts ORDER BY requested_retry_not_before",
            ) shouldContainExactly
                listOf("4714-11-24 00:00:00.000001 BC", "2100-02-03 04:05:06.789012", "294276-12-31 23:59:59.999999")
        }
    })

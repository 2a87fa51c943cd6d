package io.runledger.exposed.reap

import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.collections.shouldContainExactly
import io.kotest.matchers.shouldBe
import io.runledger.exposed.control.Bench
import io.runledger.exposed.control.bench
import io.runledger.exposed.json.storedForm
import io.runledger.exposed.leases
import io.runledger.model.failure.AttemptOutcome
import io.runledger.model.job.DeadLetterReason
import io.runledger.model.lease.ReapedJob.Result
import io.runledger.model.ledger.Scope
import io.runledger.model.retry.RetryPolicy
import io.runledger.model.retry.RetryRule
import java.time.Duration
import java.util.UUID

/** The loss of a worker is a failure: the retry policy of the job or of its type decides. */
class ReapPolicySpec :
    FunSpec({
        val delay = Duration.ofSeconds(90)
        val hourly = RetryPolicy.fixed(Duration.ofHours(1))
        val giveUp = RetryPolicy.builder().rule(RetryRule.onCode("job.lease_expired").giveUp()).build()

        fun Bench.typePolicy(json: String) =
            ledger.run("UPDATE runledger.job_definitions SET retry_policy = '$json' WHERE job_type = '${Bench.TYPE}'")

        fun Bench.reap(): Map<UUID, Result> = client.leases.reap(9, delay).associate { it.lease().jobId() to it.result() }

        fun Bench.reapOne(job: UUID): Result {
            expire(job)
            return reap().getValue(job)
        }

        fun Bench.wait(job: UUID) = attempts(
            job,
            "retry_delay_ms, coalesce(retry_timing_source, 'none'), " +
                "effective_next_run_at = finished_at + retry_delay_ms * interval '1 ms'",
        ).last()

        test("a rule that gives up on vanished workers makes a dead letter of the first one") {
            val bench = bench()
            val job = bench.leased { retryPolicy(giveUp).maxAttempts(5) }.jobId()

            bench.reapOne(job) shouldBe Result.DEAD_LETTERED

            val letter = bench.client.jobs.deadLetters(Scope.everything(), job).items().single()
            letter.kind() shouldBe AttemptOutcome.LEASE_EXPIRED
            letter.reason() shouldBe DeadLetterReason.FAILURE_KIND_NON_RETRYABLE
            bench.row(job, "status, status_reason, last_error_code") shouldBe "DEAD_LETTERED|LEASE_EXPIRED|job.lease_expired"
            bench.story(job) shouldContainExactly listOf("ENQUEUED", "LEASED", "FAILED", "DEAD_LETTERED")
        }

        test("the job's policy says how long it waits, by the database's clock, and the last attempt is the last") {
            val bench = bench()
            val job = bench.leased { retryPolicy(hourly).maxAttempts(2) }.jobId()

            bench.reapOne(job) shouldBe Result.RETRY_SCHEDULED

            bench.wait(job) shouldBe "3600000|POLICY|t"
            bench.set(job, "next_run_at = now()")
            bench.claimOne()
            bench.reapOne(job) shouldBe Result.DEAD_LETTERED
            bench.client.jobs.deadLetters(Scope.everything(), job).items().single().reason() shouldBe
                DeadLetterReason.LEASE_EXPIRED
        }

        test("the type's policy counts where the job has none, and the reaper's delay where nobody has one") {
            val bench = bench()
            val plain = bench.leased().jobId()
            bench.reapOne(plain)
            bench.wait(plain) shouldBe "90000|none|t"

            bench.typePolicy(giveUp.storedForm().text())
            bench.reapOne(bench.leased().jobId()) shouldBe Result.DEAD_LETTERED
            val own = bench.leased { retryPolicy(hourly) }.jobId()
            bench.reapOne(own) shouldBe Result.RETRY_SCHEDULED
            bench.wait(own) shouldBe "3600000|POLICY|t"
        }

        test("a policy that cannot be read counts as none, and the neighbours keep theirs") {
            val bench = bench()
            val damaged = bench.leased().jobId().also { bench.set(it, "retry_policy = '{\"backoff\": 7}'") }
            val sound = bench.leased { retryPolicy(hourly) }.jobId()
            bench.expire(damaged, sound)

            bench.reap() shouldBe mapOf(damaged to Result.RETRY_SCHEDULED, sound to Result.RETRY_SCHEDULED)

            listOf(damaged, sound).map(bench::wait) shouldContainExactly listOf("90000|none|t", "3600000|POLICY|t")
        }
    })

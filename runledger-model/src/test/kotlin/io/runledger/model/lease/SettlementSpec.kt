package io.runledger.model.lease

import io.kotest.assertions.throwables.shouldThrow
import io.kotest.assertions.withClue
import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.shouldBe
import io.kotest.matchers.types.shouldBeInstanceOf
import io.kotest.property.Arb
import io.kotest.property.arbitrary.int
import io.kotest.property.checkAll
import io.runledger.model.failure.AttemptOutcome
import io.runledger.model.failure.FailureKind
import io.runledger.model.failure.JobFailure
import io.runledger.model.handler.JobOutcome
import io.runledger.model.handler.NotBefore
import io.runledger.model.job.DeadLetterReason
import io.runledger.model.job.RetryTimingSource
import io.runledger.model.json.Payload
import io.runledger.model.retry.AttemptBudget
import io.runledger.model.retry.RetryPolicy
import io.runledger.model.retry.RetryRule
import io.runledger.model.retry.failureKinds
import io.runledger.model.retry.policies
import java.time.Duration
import java.time.Instant
import java.util.UUID

class SettlementSpec :
    FunSpec({
        val job = UUID(0, 500)
        val first = AttemptBudget.of(job, 1, 3)
        val last = AttemptBudget.of(job, 3, 3)
        val standard = RetryPolicy.standard()

        fun failure(kind: FailureKind) = JobFailure(kind, "c", "m", null, listOf())

        fun decide(attempt: AttemptBudget, kind: FailureKind, policy: RetryPolicy = standard) =
            Settlement.decide(attempt, JobOutcome.failed(failure(kind)), policy)

        fun retry(kind: FailureKind, seconds: Long) = Verdict.Retry(failure(kind), Duration.ofSeconds(seconds), null)

        fun dead(kind: FailureKind, reason: DeadLetterReason) = Verdict.DeadLetter(failure(kind), reason)

        test("failures end as the table says") {
            val exhausted = DeadLetterReason.ATTEMPTS_EXHAUSTED
            val hopeless = DeadLetterReason.FAILURE_KIND_NON_RETRYABLE
            val table = listOf(
                Triple(first, FailureKind.RETRYABLE, retry(FailureKind.RETRYABLE, 10)),
                Triple(first, FailureKind.TIMEOUT, retry(FailureKind.TIMEOUT, 10)),
                Triple(first, FailureKind.LEASE_EXPIRED, retry(FailureKind.LEASE_EXPIRED, 10)),
                Triple(first, FailureKind.TERMINAL, dead(FailureKind.TERMINAL, hopeless)),
                Triple(first, FailureKind.PANICKED, dead(FailureKind.PANICKED, hopeless)),
                Triple(last, FailureKind.RETRYABLE, dead(FailureKind.RETRYABLE, exhausted)),
                Triple(last, FailureKind.TIMEOUT, dead(FailureKind.TIMEOUT, exhausted)),
                Triple(last, FailureKind.LEASE_EXPIRED, dead(FailureKind.LEASE_EXPIRED, DeadLetterReason.LEASE_EXPIRED)),
                Triple(last, FailureKind.TERMINAL, dead(FailureKind.TERMINAL, hopeless)),
                Triple(last, FailureKind.PANICKED, dead(FailureKind.PANICKED, hopeless)),
            )

            table.forEach { (attempt, kind, verdict) ->
                withClue("$kind on attempt ${attempt.attempt}") { decide(attempt, kind) shouldBe verdict }
            }
        }

        test("panics are retried when the policy says so, until attempts run out") {
            val policy = RetryPolicy.builder().retryPanics().build()

            decide(first, FailureKind.PANICKED, policy) shouldBe retry(FailureKind.PANICKED, 10)
            decide(last, FailureKind.PANICKED, policy) shouldBe dead(FailureKind.PANICKED, DeadLetterReason.ATTEMPTS_EXHAUSTED)
        }

        test("a rule that gives up overrules a handler that wants a retry") {
            val policy = RetryPolicy.builder().rule(RetryRule.onCode("c").giveUp()).build()

            Settlement.decide(first, JobOutcome.retryAfter(Duration.ofHours(1), "c", "m"), policy) shouldBe
                dead(FailureKind.RETRYABLE, DeadLetterReason.FAILURE_KIND_NON_RETRYABLE)
            decide(first, FailureKind.LEASE_EXPIRED, policy) shouldBe
                dead(FailureKind.LEASE_EXPIRED, DeadLetterReason.FAILURE_KIND_NON_RETRYABLE)
            decide(last, FailureKind.LEASE_EXPIRED, policy) shouldBe
                dead(FailureKind.LEASE_EXPIRED, DeadLetterReason.LEASE_EXPIRED)
        }

        test("the wait grows with the attempt") {
            (1..6).map {
                (decide(AttemptBudget.of(job, it, 9), FailureKind.RETRYABLE) as Verdict.Retry).delay.toSeconds()
            } shouldBe
                listOf(10L, 20L, 40L, 80L, 160L, 300L)
        }

        test("attempts given back count neither against the budget nor for the wait") {
            decide(AttemptBudget(job, 53, 3, 52), FailureKind.RETRYABLE) shouldBe retry(FailureKind.RETRYABLE, 10)
            decide(AttemptBudget(job, 54, 3, 52), FailureKind.RETRYABLE) shouldBe retry(FailureKind.RETRYABLE, 20)
            decide(AttemptBudget(job, 55, 3, 52), FailureKind.RETRYABLE) shouldBe
                dead(FailureKind.RETRYABLE, DeadLetterReason.ATTEMPTS_EXHAUSTED)
        }

        test("a budget lowered below what is spent is exhausted") {
            decide(AttemptBudget.of(job, 5, 2), FailureKind.RETRYABLE) shouldBe
                dead(FailureKind.RETRYABLE, DeadLetterReason.ATTEMPTS_EXHAUSTED)
        }

        test("success keeps its output") {
            Settlement.decide(first, JobOutcome.succeeded(), standard) shouldBe Verdict.Succeed(null)
            Settlement.decide(last, JobOutcome.succeeded(null), standard) shouldBe Verdict.Succeed(Payload.of(null))
        }

        test("continue, snooze and cancel need no attempt") {
            val delay = Duration.ofSeconds(7)

            Settlement.decide(last, JobOutcome.continueAfter(delay, "rest").withCheckpoint(9), standard) shouldBe
                Verdict.Continue(Payload.of("rest"), Payload.of(9), delay)
            Settlement.decide(last, JobOutcome.snooze(delay), standard) shouldBe Verdict.Snooze(delay)
            Settlement.decide(last, JobOutcome.canceled("not wanted"), standard) shouldBe Verdict.Cancel("not wanted")
        }

        test("every verdict names its kind and what the attempt's row says") {
            val verdicts = listOf(
                Settlement.decide(first, JobOutcome.succeeded(), standard) to AttemptOutcome.SUCCEEDED,
                Settlement.decide(first, JobOutcome.retry("c", "m"), standard) to AttemptOutcome.RETRYABLE,
                Settlement.decide(first, JobOutcome.failed("c", "m"), standard) to AttemptOutcome.TERMINAL,
                Settlement.decide(first, JobOutcome.continueNow(), standard) to AttemptOutcome.SUCCEEDED,
                Settlement.decide(first, JobOutcome.snooze(Duration.ofSeconds(1)), standard) to AttemptOutcome.INTERRUPTED,
                Settlement.decide(first, JobOutcome.canceled("x"), standard) to AttemptOutcome.CANCELED,
            )

            // A release is decided by the worker, not by an outcome.
            verdicts.map { it.first.kind() } shouldBe Verdict.Kind.entries - Verdict.Kind.RELEASE
            Verdict.Release("WORKER_SHUTDOWN").attemptOutcome() shouldBe AttemptOutcome.INTERRUPTED
            verdicts.forEach { (verdict, outcome) -> verdict.attemptOutcome() shouldBe outcome }
        }

        test("a retry keeps the wait of the policy and the bound of the handler") {
            listOf(null, NotBefore.after(Duration.ofSeconds(11)), NotBefore.at(Instant.EPOCH)).forEach { bound ->
                val outcome = JobOutcome.Retry(failure(FailureKind.RETRYABLE), bound)

                Settlement.decide(first, outcome, standard) shouldBe
                    Verdict.Retry(failure(FailureKind.RETRYABLE), Duration.ofSeconds(10), bound)
            }
        }

        test("numbers no ledger can hold are refused") {
            listOf(
                intArrayOf(0, 1, 0),
                intArrayOf(1, 0, 0),
                intArrayOf(1, 1, -1),
                intArrayOf(2, 1, 2),
            ).forEach { (attempt, max, given) ->
                shouldThrow<IllegalArgumentException> { AttemptBudget(job, attempt, max, given) }
            }
        }

        test("a failure is retried exactly while the policy waits and attempts are left") {
            checkAll(policies, failureKinds, Arb.int(1..50), Arb.int(1..20), Arb.int(0..49)) { policy, kind, n, max, given ->
                val attempt = AttemptBudget(job, n, max, minOf(given, n - 1))
                val failure = JobFailure(kind, "mail.bounced", "m", null, listOf("java.io.IOException"))
                val wait = policy.delayAfter(failure, attempt.spent(), job)

                val verdict = Settlement.decide(attempt, JobOutcome.failed(failure), policy)

                (verdict is Verdict.Retry) shouldBe (wait.isPresent && attempt.spent() < max)
                verdict.attemptOutcome() shouldBe kind.outcome()
                if (verdict is Verdict.Retry) verdict.delay shouldBe wait.get()
            }
        }
    })

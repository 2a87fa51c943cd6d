package io.runledger.model.retry

import io.kotest.assertions.throwables.shouldThrow
import io.kotest.assertions.withClue
import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.shouldBe
import io.kotest.property.checkAll
import io.runledger.model.error.ErrorCode
import io.runledger.model.error.InvalidRequestException
import io.runledger.model.failure.FailureKind
import io.runledger.model.failure.JobFailure
import java.io.FileNotFoundException
import java.io.IOException
import java.math.BigInteger
import java.time.Duration
import java.util.Optional
import java.util.UUID

class RetryPolicySpec :
    FunSpec({
        val busy = JobFailure.retryable("mail.busy", "later")

        /** An id in the middle of the standard jitter: its offset is zero. */
        val unmoved = UUID(0, 500)

        fun RetryPolicy.millis(failure: JobFailure, attempt: Int = 1, job: UUID = unmoved): Long? =
            delayAfter(failure, attempt, job).map(Duration::toMillis).orElse(null)

        test("the standard waits double from ten seconds to five minutes") {
            val table = mapOf(1 to 10L, 2 to 20L, 3 to 40L, 4 to 80L, 5 to 160L, 6 to 300L, 7 to 300L, Int.MAX_VALUE to 300L)

            table.forEach { (attempt, seconds) ->
                withClue("attempt $attempt") { RetryPolicy.standard().millis(busy, attempt) shouldBe seconds * 1000 }
            }
        }

        test("the standard jitter is half a second either way, constant per job") {
            (1..7).forEach { attempt ->
                val plain = RetryPolicy.standard().millis(busy, attempt)!!

                RetryPolicy.standard().millis(busy, attempt, UUID(0, 0)) shouldBe plain - 500
                RetryPolicy.standard().millis(busy, attempt, UUID(0, 999)) shouldBe plain + 499
                RetryPolicy.standard().millis(busy, attempt, UUID(0, 1000)) shouldBe plain - 500
            }
        }

        test("the standard equals the reference's formula for every job and attempt") {
            checkAll(jobIds, attempts) { job, attempt ->
                val exponent = attempt.coerceIn(1, 10)
                val jitter = job.unsigned().mod(BigInteger.valueOf(1000)).toLong() - 500
                val expected = maxOf(1000, minOf(5000L shl exponent, 300_000L) + jitter)

                RetryPolicy.standard().millis(busy, attempt, job) shouldBe expected
            }
        }

        test("kinds are retried, except terminal ones and panics") {
            val retried = FailureKind.entries.filter {
                RetryPolicy.standard().millis(JobFailure(it, "c", "m", null, listOf())) != null
            }

            retried shouldBe listOf(FailureKind.RETRYABLE, FailureKind.TIMEOUT, FailureKind.LEASE_EXPIRED)
        }

        test("panics are retried when the policy says so, terminal failures never") {
            val policy = RetryPolicy.builder().retryPanics().build()

            policy.millis(JobFailure.panicked("broken")) shouldBe 10_000
            policy.millis(JobFailure.terminal("c", "m")) shouldBe null
        }

        test("a rule cannot revive a panic unless panics are retried") {
            val rule = RetryRule.onException(StackOverflowError::class.java).retry(Backoff.fixed(Duration.ofSeconds(3)))
            val panic = JobFailure.of(StackOverflowError())

            RetryPolicy.builder().rule(rule).build().millis(panic) shouldBe null
            RetryPolicy.builder().rule(rule).retryPanics().build().millis(panic) shouldBe 3_000
        }

        test("a rule for a code matches that code only") {
            val policy = RetryPolicy.builder().rule(RetryRule.onCode("mail.busy").giveUp()).build()

            policy.millis(busy) shouldBe null
            listOf("mail.busy.again", "mail", "Mail.busy", "mail_busy").forEach {
                withClue(it) { policy.millis(JobFailure.retryable(it, "m")) shouldBe 10_000 }
            }
        }

        test("a rule for a family matches what begins with it and a dot") {
            val policy = RetryPolicy.builder().rule(RetryRule.onCode("mail.*").giveUp()).build()

            listOf("mail.busy", "mail.busy.again", "mail.").forEach {
                withClue(it) { policy.millis(JobFailure.retryable(it, "m")) shouldBe null }
            }
            listOf("mail", "mailer.busy", "x.mail.busy").forEach {
                withClue(it) { policy.millis(JobFailure.retryable(it, "m")) shouldBe 10_000 }
            }
        }

        test("a rule for an exception matches subclasses, but neither superclasses nor causes") {
            val policy = RetryPolicy.builder().rule(RetryRule.onException(IOException::class.java).giveUp()).build()

            policy.millis(JobFailure.of(IOException())) shouldBe null
            policy.millis(JobFailure.of(FileNotFoundException())) shouldBe null
            policy.millis(JobFailure.of(Exception(IOException()))) shouldBe 10_000
            policy.millis(busy) shouldBe 10_000
        }

        test("the first rule that matches decides") {
            val policy = RetryPolicy.builder()
                .rule(RetryRule.onCode("mail.busy"))
                .rule(RetryRule.onCode("mail.slow").retry(Backoff.fixed(Duration.ofHours(2))))
                .rule(RetryRule.onCode("mail.*").giveUp())
                .build()

            policy.millis(busy) shouldBe 10_000
            policy.millis(JobFailure.retryable("mail.slow", "m")) shouldBe Duration.ofHours(2).toMillis()
            policy.millis(JobFailure.retryable("mail.gone", "m")) shouldBe null
        }

        test("a rule's own wait is used as it is, beyond the policy's cap and without its jitter") {
            val policy = RetryPolicy.builder().rule(RetryRule.onCode("mail.*").retry(Backoff.fixed(Duration.ofHours(1)))).build()

            policy.millis(busy, attempt = 3, job = UUID(0, 0)) shouldBe Duration.ofHours(1).toMillis()
        }

        test("timeouts and vanished workers have rules by their codes") {
            val policy = RetryPolicy.builder().rule(RetryRule.onCode("job.timeout_exceeded").giveUp()).build()

            policy.millis(JobFailure.timeout(Duration.ofSeconds(1))) shouldBe null
            policy.millis(JobFailure.leaseExpired()) shouldBe 10_000
        }

        test("patterns that could never match are refused") {
            listOf("", " ", "*", ".*", "a*", "*.a", "a.*.b", " a", "a\u0000").forEach { pattern ->
                withClue("'$pattern'") {
                    refusal { RetryRule.onCode(pattern) } shouldBe ErrorCode.INVALID_RETRY_POLICY
                    refusal { RetryRule.onException(pattern) } shouldBe ErrorCode.INVALID_RETRY_POLICY
                }
            }
            shouldThrow<InvalidRequestException> { RetryRule.onException("java.io.*") }
        }

        test("a rule cannot give up and wait") {
            shouldThrow<InvalidRequestException> {
                RetryRule(RetryRule.Subject.CODE, "c", RetryRule.Action.GIVE_UP, Backoff.fixed(Duration.ofSeconds(1)))
            }.code() shouldBe ErrorCode.INVALID_RETRY_POLICY
        }

        test("choosing another curve drops the standard cap and jitter") {
            RetryPolicy.builder().fixed(Duration.ofHours(1)).build() shouldBe RetryPolicy.fixed(Duration.ofHours(1))
        }

        test("the order of builder calls does not matter") {
            val capFirst = RetryPolicy.builder().cap(Duration.ofMinutes(1)).jitter(Jitter.ratio(0.1)).linear(TEN, TEN).build()
            val curveFirst = RetryPolicy.builder().linear(TEN, TEN).jitter(Jitter.ratio(0.1)).cap(Duration.ofMinutes(1)).build()

            capFirst shouldBe curveFirst
            capFirst.backoff shouldBe Backoff.linear(TEN, TEN).withCap(Duration.ofMinutes(1)).withJitter(Jitter.ratio(0.1))
        }

        test("a builder changes neither the policy it came from nor the ones it built") {
            val start = RetryPolicy.fixed(TEN)
            val builder = start.toBuilder().retryPanics()
            val built = builder.build()
            builder.rule(RetryRule.onCode("c"))

            start shouldBe RetryPolicy.fixed(TEN)
            built.rules shouldBe listOf()
        }

        test("any policy answers every failure the same way each time, and with a wait the ledger can keep") {
            checkAll(policies, failureKinds, attempts, jobIds) { policy, kind, attempt, job ->
                val failure = JobFailure(kind, "mail.bounced", "m", null, listOf("java.io.IOException"))
                val answer = policy.delayAfter(failure, attempt, job)

                policy.delayAfter(failure, attempt, job) shouldBe answer
                answer.ifPresent { Math.toIntExact(it.toMillis()) shouldBe maxOf(1, it.toMillis().toInt()) }
                if (kind == FailureKind.TERMINAL) answer shouldBe Optional.empty()
            }
        }
    })

private val TEN = Duration.ofSeconds(10)

private fun refusal(action: () -> Any): ErrorCode = shouldThrow<InvalidRequestException> { action() }.code()

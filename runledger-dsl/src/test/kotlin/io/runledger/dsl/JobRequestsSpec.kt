package io.runledger.dsl

import io.kotest.assertions.throwables.shouldThrow
import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.shouldBe
import io.runledger.model.error.ErrorCode
import io.runledger.model.error.InvalidRequestException
import io.runledger.model.job.JobRequest
import io.runledger.model.job.JobStage
import io.runledger.model.key.ReplacedPart
import io.runledger.model.key.Uniqueness
import io.runledger.model.retry.Jitter
import io.runledger.model.retry.RetryPolicy
import io.runledger.model.retry.RetryRule
import java.time.Instant
import java.util.UUID
import kotlin.time.Duration.Companion.minutes
import kotlin.time.Duration.Companion.seconds
import java.time.Duration as JavaDuration

class JobRequestsSpec :
    FunSpec({
        val type = jobType<String>("mail")

        test("a request says what the builder says, in the same words") {
            val organization = UUID.randomUUID()

            jobRequest(type, "Ada") {
                organization(organization)
                priority(7)
                maxAttempts(3)
                timeout(2.minutes)
                delay(5.seconds)
                idempotencyKey("mail/Ada")
                stage(JobStage.SCHEDULED)
                header("locale", "de")
                headers(mapOf("trace" to "1"))
                retryPolicy { fixed(1.seconds) }
            } shouldBe JobRequest.builder(type, "Ada").organization(organization).priority(7).maxAttempts(3)
                .timeout(JavaDuration.ofMinutes(2)).delay(JavaDuration.ofSeconds(5)).idempotencyKey("mail/Ada")
                .stage(JobStage.SCHEDULED).header("locale", "de").header("trace", "1")
                .retryPolicy(RetryPolicy.fixed(JavaDuration.ofSeconds(1))).build()
            jobRequest(type, "Ada") { runAt(Instant.EPOCH) } shouldBe
                JobRequest.builder(type, "Ada").runAt(Instant.EPOCH).build()
            jobRequest(type, "Ada") shouldBe JobRequest.of(type, "Ada")
            jobRequest(type, "Ada") { unique(Uniqueness.whilePending("k")) } shouldBe
                JobRequest.builder(type, "Ada").unique(Uniqueness.whilePending("k")).build()
            jobRequest(type, "Ada") { throttle("k", 2.minutes) } shouldBe
                JobRequest.builder(type, "Ada").throttle("k", JavaDuration.ofMinutes(2)).build()
            jobRequest(type, "Ada") { debounce("k", 5.seconds, 2.minutes) } shouldBe
                JobRequest.builder(type, "Ada").debounce("k", JavaDuration.ofSeconds(5), JavaDuration.ofMinutes(2)).build()
            jobRequest(type, "Ada") { replacePending("k", ReplacedPart.TIME, ReplacedPart.TIME) } shouldBe
                JobRequest.builder(type, "Ada").replacePending("k", ReplacedPart.TIME).build()
        }

        test("a policy says what the builder says, for a type, a request and a step alike") {
            val declared = retryPolicy {
                linear(1.seconds, 2.seconds)
                cap(1.minutes)
                jitter(Jitter.ratio(0.5))
                rule(RetryRule.onCode("mail.*").giveUp())
                retryPanics()
            }

            declared shouldBe RetryPolicy.builder().linear(JavaDuration.ofSeconds(1), JavaDuration.ofSeconds(2))
                .cap(JavaDuration.ofMinutes(1)).jitter(Jitter.ratio(0.5)).rule(RetryRule.onCode("mail.*").giveUp()).retryPanics()
                .build()
            jobType<String>("mail") { retryPolicy { exponential(1.seconds, 3.0) } }.settings().retryPolicy() shouldBe
                RetryPolicy.exponential(JavaDuration.ofSeconds(1), 3.0)
            retryPolicy { } shouldBe RetryPolicy.standard()
        }

        test("a value out of range is refused where it is said") {
            shouldThrow<InvalidRequestException> { retryPolicy { exponential(1.seconds, 0.5) } }.code() shouldBe
                ErrorCode.INVALID_RETRY_POLICY
            shouldThrow<InvalidRequestException> { jobRequest(type, "Ada") { maxAttempts(0) } }.code() shouldBe
                ErrorCode.INVALID_MAX_ATTEMPTS
        }
    })

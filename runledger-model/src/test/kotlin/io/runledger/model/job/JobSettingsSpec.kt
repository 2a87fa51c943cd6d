package io.runledger.model.job

import io.kotest.assertions.throwables.shouldThrow
import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.collections.shouldBeEmpty
import io.kotest.matchers.collections.shouldContainExactly
import io.kotest.matchers.shouldBe
import io.runledger.model.definition.DefinitionChange
import io.runledger.model.error.ErrorCode
import io.runledger.model.error.InvalidRequestException
import io.runledger.model.json.Json
import io.runledger.model.retry.RetryPolicy
import java.time.Duration

class JobSettingsSpec :
    FunSpec({
        val fixed = RetryPolicy.fixed(Duration.ofSeconds(2))
        val invalid = JobSettings(null, 0, Duration.ofMillis(999), null)

        test("every invalid value is a problem, with a code for jobs and one for steps") {
            invalid.problems().map { it.code() to it.stepCode() } shouldContainExactly listOf(
                ErrorCode.INVALID_MAX_ATTEMPTS to ErrorCode.DAG_MAX_ATTEMPTS,
                ErrorCode.INVALID_TIMEOUT to ErrorCode.DAG_TIMEOUT,
            )
            invalid.problems().map { it.message() } shouldContainExactly listOf(
                "maxAttempts is 0: a job needs at least 1 attempt.",
                "timeout is PT0.999S: it must be at least one second.",
            )
            JobSettings.NONE.problems().shouldBeEmpty()
            JobSettings(Int.MIN_VALUE, 1, Duration.ofSeconds(1), fixed).problems().shouldBeEmpty()
        }

        test("the first problem is refused by a request, a type and a change") {
            listOf(
                { invalid.requireValid() },
                { JobRequest.builder("mail", Json.NULL).timeout(Duration.ZERO).maxAttempts(-1).build() },
                { JobType.builder("mail", Json::class.java).timeout(Duration.ZERO).maxAttempts(-1).build() },
                { DefinitionChange.builder().timeout(Duration.ZERO).maxAttempts(-1).build() },
            ).forEach { build ->
                shouldThrow<InvalidRequestException> { build() }.code() shouldBe ErrorCode.INVALID_MAX_ATTEMPTS
            }
        }

        test("a valid timeout is rounded up, an invalid one is kept for its message") {
            fun kept(timeout: Duration) = JobSettings(null, null, timeout, null).timeout()

            kept(Duration.ofMillis(1_001)) shouldBe Duration.ofSeconds(2)
            kept(Duration.ofSeconds(Int.MAX_VALUE.toLong())) shouldBe Duration.ofSeconds(Int.MAX_VALUE.toLong())
            listOf(Duration.ofMillis(999), Duration.ofNanos(-1), Duration.ofSeconds(Long.MAX_VALUE)).forEach {
                kept(it) shouldBe
                    it
            }
        }

        test("what is not set is taken from the defaults, one by one") {
            val defaults = JobSettings(1, 2, Duration.ofSeconds(3), fixed)
            val own = JobSettings(4, 5, Duration.ofSeconds(6), RetryPolicy.standard())

            JobSettings.NONE.orElse(defaults) shouldBe defaults
            own.orElse(defaults) shouldBe own
            JobSettings(null, 5, null, null).orElse(defaults) shouldBe JobSettings(1, 5, Duration.ofSeconds(3), fixed)
        }

        test("a type has all settings, and no retry policy if it uses the standard one") {
            val plain = JobType.json("mail")

            plain.settings() shouldBe JobSettings(100, 8, Duration.ofMinutes(15), null)
            plain.settings() shouldBe JobSettings(plain.priority(), plain.maxAttempts(), plain.timeout(), null)
            JobType.builder("mail", Json::class.java).maxAttempts(3).retryPolicy(fixed).build().settings() shouldBe
                JobSettings(100, 3, Duration.ofMinutes(15), fixed)
        }
    })

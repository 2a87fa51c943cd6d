package io.runledger.model.handler

import io.kotest.assertions.throwables.shouldThrow
import io.kotest.core.spec.style.FunSpec
import io.kotest.inspectors.forAll
import io.kotest.matchers.shouldBe
import io.runledger.model.error.ErrorCode
import io.runledger.model.error.InvalidRequestException
import java.time.Duration
import java.time.Instant

class DeferralTermsSpec :
    FunSpec({
        val minute = Duration.ofMinutes(1)

        test("a deferral without an end fails with the library's code once it gets one") {
            Deferral.every(minute).limit() shouldBe null
            Deferral.every(minute).within(minute).failure()?.code() shouldBe "job.deferral_expired"
            Deferral.every(minute).orGoOn().within(minute).failure() shouldBe null
        }

        test("times that no row can hold are refused with a code") {
            listOf<() -> Any>(
                { Deferral.every(Duration.ZERO) },
                { Deferral.every(minute.negated()) },
                { Deferral.every(minute).within(Duration.ZERO) },
                { Deferral.every(minute).within(Duration.ofSeconds(Long.MAX_VALUE)) },
                { JobOutcome.snoozeUntil(Instant.MAX) },
            ).forAll { shouldThrow<InvalidRequestException>(it).code() shouldBe ErrorCode.INVALID_DELAY }
        }

        test("an instant before all that can be stored is no instant to wait for") {
            JobOutcome.snoozeUntil(Instant.MIN).until() shouldBe null
            JobOutcome.snoozeUntil(Instant.ofEpochSecond(1, 1)).until() shouldBe Instant.ofEpochSecond(1, 1_000)
        }
    })

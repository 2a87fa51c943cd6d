package io.runledger.model.job

import io.kotest.assertions.throwables.shouldThrow
import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.collections.shouldContainExactly
import io.kotest.matchers.shouldBe
import io.runledger.model.error.ErrorCode
import io.runledger.model.error.InvalidRequestException
import java.time.Duration
import java.time.Instant
import java.util.UUID

class JobSelectionSpec :
    FunSpec({
        val day = Duration.ofDays(1)

        test("every condition keeps the others") {
            val whole = JobSelection(listOf("mail"), setOf(JobStatus.PENDING), "down", "It broke", day, "imports")

            JobSelection.ofType(
                "mail",
            ).inStatus(
                JobStatus.PENDING,
            ).failedWith("down").failedWithMessage("It broke").olderThan(day).inQueue("imports") shouldBe
                whole
            JobSelection.ofType(
                "mail",
            ).inQueue(
                "imports",
            ).olderThan(day).failedWithMessage("It broke").failedWith("down").inStatus(JobStatus.PENDING) shouldBe
                whole
        }

        test("a negative age is refused") {
            shouldThrow<InvalidRequestException> { JobSelection.any().olderThan(day.negated()) }.code() shouldBe
                ErrorCode.INVALID_ARGUMENT
        }

        test("a cause selects its group, also if it has no code or no message") {
            fun cause(code: String?, message: String?) =
                DeadLetterCause("mail", code, message, 1, Instant.EPOCH, Instant.EPOCH, List(24) { 0L }, UUID(0, 0)).selection()

            listOf(cause("down", "It broke"), cause(null, "It broke"), cause("down", null)) shouldContainExactly listOf(
                JobSelection.ofType("mail").failedWith("down").failedWithMessage("It broke"),
                JobSelection.ofType("mail").failedWithMessage("It broke"),
                JobSelection.ofType("mail").failedWith("down").failedWithMessage(""),
            )
        }
    })

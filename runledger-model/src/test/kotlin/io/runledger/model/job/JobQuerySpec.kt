package io.runledger.model.job

import io.kotest.assertions.throwables.shouldThrow
import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.shouldBe
import io.runledger.model.error.ErrorCode
import io.runledger.model.error.InvalidRequestException

class JobQuerySpec :
    FunSpec({
        fun refusal(change: JobQuery.Builder.() -> Unit) =
            shouldThrow<InvalidRequestException> { JobQuery.builder().apply(change).build() }.code()

        test("a page holds 1 to 1,000 jobs") {
            listOf(-1, 0, 1_001).forEach { refusal { limit(it) } shouldBe ErrorCode.INVALID_PAGINATION }
            listOf(1, 1_000).forEach { JobQuery.builder().limit(it).build().limit() shouldBe it }
        }

        test("a type that cannot exist is refused") {
            refusal { jobTypes(listOf(" ")) } shouldBe ErrorCode.INVALID_JOB_TYPE
        }

        test("the next page asks for the same") {
            val query = JobQuery.builder().statuses(
                JobStatus.LEASED,
            ).types(JobType.of("mail", String::class.java)).errorCode("down").idempotencyKey("k").queue("q").limit(7).build()

            query.after("x") shouldBe JobQuery(query.statuses(), setOf("mail"), null, "down", "k", "q", null, null, 7, "x")
        }
    })

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

        test("the order of claims is for waiting jobs of given types") {
            val query = JobQuery.builder().order(
                JobQuery.Order.CLAIM,
            ).statuses(JobStatus.PENDING).jobTypes(listOf("mail")).build()
            query.order() shouldBe JobQuery.Order.CLAIM
            val refusals = listOf<JobQuery.Builder.() -> Unit>(
                { statuses() },
                { statuses(JobStatus.PENDING, JobStatus.LEASED) },
                { jobTypes(emptyList()) },
                { errorCode("down") },
                { idempotencyKey("k") },
            )

            refusals.forEach { change ->
                refusal {
                    order(JobQuery.Order.CLAIM).statuses(JobStatus.PENDING).jobTypes(listOf("mail"))
                    change()
                } shouldBe ErrorCode.INVALID_ARGUMENT
            }
        }

        test("a page reads at least as many jobs as it may show") {
            JobQuery.builder().limit(7).maxRead(7).build().maxRead() shouldBe 7
            JobQuery.builder().maxRead(null).build().maxRead() shouldBe null
            listOf(-1, 0, 6).forEach { refusal { limit(7).maxRead(it) } shouldBe ErrorCode.INVALID_PAGINATION }
        }

        test("the next page asks for the same") {
            val query = JobQuery.builder().statuses(
                JobStatus.LEASED,
            ).types(JobType.of("mail", String::class.java)).errorCode("down").idempotencyKey("k").queue("q").maxRead(100).limit(7)
                .build()

            query.after("x") shouldBe JobQuery(
                query.statuses(), setOf("mail"), null, "down", "k", "q", null, null, JobQuery.Order.NEWEST, 100, 7, "x",
            )
        }
    })

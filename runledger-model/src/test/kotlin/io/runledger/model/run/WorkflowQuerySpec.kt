package io.runledger.model.run

import io.kotest.assertions.throwables.shouldThrow
import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.shouldBe
import io.runledger.model.error.ErrorCode
import io.runledger.model.error.InvalidRequestException
import io.runledger.model.workflow.WorkflowRunStatus

class WorkflowQuerySpec :
    FunSpec({
        test("a page holds 1 to 1,000 runs") {
            listOf(1, 1_000).forEach { WorkflowQuery.builder().limit(it).build().limit() shouldBe it }
            listOf(0, -1, 1_001, Int.MIN_VALUE).forEach { limit ->
                shouldThrow<InvalidRequestException> { WorkflowQuery.builder().limit(limit).build() }
                    .code() shouldBe ErrorCode.INVALID_PAGINATION
            }
        }

        test("a type or prefix that no run can have is refused") {
            listOf(WorkflowQuery.builder().workflowTypes("orders", " "), WorkflowQuery.builder().typePrefix("")).forEach {
                shouldThrow<InvalidRequestException> { it.build() }.code() shouldBe ErrorCode.DAG_WORKFLOW_TYPE
            }
        }

        test("the next page asks for the same") {
            val query = WorkflowQuery.builder()
                .statuses(WorkflowRunStatus.RUNNING)
                .paused(true)
                .workflowTypes("a")
                .typePrefix("b")
                .limit(7)
                .build()

            query.after("x").after(null) shouldBe query
            query.after("x").cursor() shouldBe "x"
        }
    })

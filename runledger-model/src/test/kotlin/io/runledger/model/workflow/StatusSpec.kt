package io.runledger.model.workflow

import io.kotest.assertions.throwables.shouldThrow
import io.kotest.assertions.withClue
import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.collections.shouldContainExactly
import io.kotest.matchers.shouldBe
import io.runledger.model.job.JobStatus

class StatusSpec :
    FunSpec({
        test("these are the end states") {
            JobStatus.entries.filter { it.isTerminal } shouldContainExactly
                listOf(JobStatus.SUCCEEDED, JobStatus.DEAD_LETTERED, JobStatus.CANCELED)
            WorkflowRunStatus.entries.filter { it.isTerminal } shouldContainExactly
                listOf(WorkflowRunStatus.SUCCEEDED, WorkflowRunStatus.COMPLETED_WITH_ERRORS, WorkflowRunStatus.CANCELED)
            WorkflowStepStatus.entries.filter { it.isTerminal } shouldContainExactly
                listOf(
                    WorkflowStepStatus.SUCCEEDED,
                    WorkflowStepStatus.FAILED,
                    WorkflowStepStatus.CANCELED,
                    WorkflowStepStatus.SKIPPED,
                )
        }

        test("which endings satisfy which dependency") {
            val succeeded = listOf(true, true, false)
            val failed = listOf(true, false, true)
            val skipped = listOf(true, false, false)

            mapOf(
                WorkflowStepStatus.SUCCEEDED to succeeded,
                WorkflowStepStatus.FAILED to failed,
                WorkflowStepStatus.CANCELED to failed,
                WorkflowStepStatus.SKIPPED to skipped,
            ).forEach { (ended, expected) ->
                withClue(ended) {
                    listOf(ReleaseMode.ON_TERMINAL, ReleaseMode.ON_SUCCESS, ReleaseMode.ON_FAILURE).map {
                        it.isSatisfiedBy(ended)
                    } shouldBe
                        expected
                }
            }
        }

        test("a step that has not ended satisfies nothing: asking is a mistake") {
            for (mode in ReleaseMode.entries) {
                WorkflowStepStatus.entries.filterNot { it.isTerminal }.forEach {
                    shouldThrow<IllegalArgumentException> { mode.isSatisfiedBy(it) }
                }
            }
        }
    })

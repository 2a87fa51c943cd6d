package io.runledger.exposed.workflow

import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import io.runledger.exposed.shouldRefuse
import io.runledger.model.error.ErrorCode
import io.runledger.model.ledger.Scope
import io.runledger.model.workflow.AppendRequest
import io.runledger.model.workflow.StepRequest
import io.runledger.model.workflow.Upstream
import io.runledger.model.workflow.WorkflowRequest

/** Problems of a step that only the ledger can find also name the line that declared it. */
class DeclaredLinesSpec :
    FunSpec({
        val flow = flow()
        val workflows = flow.client.workflows

        fun lineOf(step: StepRequest): String = step.declaredAt().also { it.file() shouldBe "DeclaredLinesSpec.kt" }.toString()

        test("a job type that is not defined") {
            val order = WorkflowRequest.builder("orders").also { order ->
                order.job("ship") { it.runs("nobody.knows", null) }
            }.build()

            val refused = shouldRefuse(ErrorCode.WORKFLOW_DEFINITION_UNAVAILABLE) { workflows.enqueue(order) }

            refused.message!! shouldContain "Step 'ship' (${lineOf(order.steps().single())}) needs job type 'nobody.knows'"
        }

        test("a step to be appended that does not fit the run") {
            val run = flow.start { gate("window") }
            val more = AppendRequest.builder(run, "more", "window").also { more ->
                more.job("late") { it.runs(Flow.TYPE, null).after(Upstream.named("windw")) }
            }.build()

            val refused = shouldRefuse(ErrorCode.DAG_MISSING_DEPENDENCY) { workflows.append(Scope.everything(), more) }

            refused.message!! shouldContain "steps[0] 'late' (${lineOf(more.steps().single())}): The step waits for 'windw'"
            refused.message!! shouldContain "did you mean 'window'?"
        }
    })

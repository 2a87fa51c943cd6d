package io.runledger.console.action

import io.runledger.console.form.Field
import io.runledger.console.form.JsonField
import io.runledger.console.form.Order
import io.runledger.console.form.TextField
import io.runledger.console.visit.Visit
import io.runledger.model.run.GateCompletion
import io.runledger.model.run.WorkflowStep

internal class CompleteGate : GateAction("complete-gate", "Complete the gate", isDangerous = true) {
    override fun consequence(subject: WorkflowStep): String =
        "The gate succeeds, and the steps that wait for it start. This cannot be taken back."

    override fun fields(visit: Visit, subject: WorkflowStep): List<Field> = listOf(
        JsonField(OUTPUT, "Output as JSON", hint = "The steps that depend on the gate can read it.", isRequired = false),
    )

    override fun act(order: Order<WorkflowStep>): String? {
        val completion = GateCompletion.succeeded(order.subject.runId(), order.subject.stepKey(), order.json(OUTPUT))
        order.ledger.workflows.completeGate(order.scope, completion.because(order.reason))
        return null
    }

    private companion object {
        const val OUTPUT = "output"
    }
}

internal class FailGate : GateAction("fail-gate", "Fail the gate", isDangerous = true) {
    override fun consequence(subject: WorkflowStep): String =
        "The gate fails. Steps that need its success do not run, and the run ends with errors unless it handles this failure. " +
            "This cannot be taken back."

    override fun fields(visit: Visit, subject: WorkflowStep): List<Field> = listOf(
        TextField(CODE, "Error code", initial = "operator.rejected", isRequired = true),
        TextField(MESSAGE, "Error message", hint = "Shown with the run. If it is empty, the reason is used."),
    )

    override fun act(order: Order<WorkflowStep>): String? {
        val message = order.text(MESSAGE) ?: order.reason
        val completion = GateCompletion.failed(order.subject.runId(), order.subject.stepKey(), order.required(CODE), message)
        order.ledger.workflows.completeGate(order.scope, completion.because(order.reason))
        return null
    }

    private companion object {
        const val CODE = "code"
        const val MESSAGE = "message"
    }
}

package io.runledger.exposed.workflow

import io.runledger.exposed.LedgerContext
import io.runledger.exposed.intake.ValueKind
import io.runledger.exposed.intake.encoded
import io.runledger.exposed.sql.exception
import io.runledger.exposed.sql.row
import io.runledger.model.error.ErrorCode
import io.runledger.model.error.RunledgerException
import io.runledger.model.id.Text
import io.runledger.model.json.Json
import io.runledger.model.spec.GateCompletion
import io.runledger.model.state.Scope
import io.runledger.model.state.StepKind
import io.runledger.model.state.WorkflowStep
import io.runledger.model.state.WorkflowStepStatus
import java.sql.Connection

/** Ends a gate from outside and lets go on what waited for it. */
internal class CompleteGate(private val context: LedgerContext) {
    private val runs = LockRuns(context)
    private val advance = AdvanceRuns(context)

    fun complete(scope: Scope, completion: GateCompletion): WorkflowStep {
        val output = completion.output()?.let {
            context.encoded(it, "gate ${Text.quoted(completion.stepKey())}", ValueKind.OUTPUT)
        }
        return context.transactions.run { connection ->
            context.transactions.requireReadCommitted(connection, ErrorCode.GATE_ISOLATION)
            val gate = runs.lock(connection, scope, completion.runId())?.let { gate(connection, completion, output) }
                ?: throw notFound(completion)
            requireCompletable(gate.step)
            if (gate.step.isTerminal) {
                requireSame(gate, completion)
                gate.step
            } else {
                end(connection, gate.step, completion, output)
            }
        }
    }

    private fun requireCompletable(step: WorkflowStep) {
        if (step.kind() != StepKind.EXTERNAL) {
            throw ErrorCode.GATE_NOT_EXTERNAL.exception(
                "Step ${Text.quoted(step.stepKey())} is a job: it ends when its job ends.",
            )
        }
        if (step.status() == WorkflowStepStatus.BLOCKED) {
            throw ErrorCode.GATE_NOT_WAITING.exception(
                "Gate ${Text.quoted(step.stepKey())} is not open yet: it waits for ${step.pendingDependencies()} of its " +
                    "prerequisites.",
            )
        }
    }

    private fun gate(connection: Connection, completion: GateCompletion, output: Json?): Gate? = connection.row(
        context.statements["gate_state"],
        {
            json(output)
            uuid(completion.runId())
            text(completion.stepKey())
        },
    ) { Gate(workflowStep(), getBoolean("same_output")) }

    private fun end(connection: Connection, gate: WorkflowStep, completion: GateCompletion, output: Json?): WorkflowStep {
        val ended = checkNotNull(
            connection.row(
                context.statements["gate_end"],
                {
                    text(completion.status().wire())
                    text(completion.reason())
                    text(completion.errorCode())
                    text(completion.errorMessage())
                    json(output)
                    uuid(gate.id())
                },
            ) { workflowStep() },
        )
        val errors = if (ended.status() == WorkflowStepStatus.SUCCEEDED) 0 else 1
        val tally = Tally().apply { add(ended.runId(), open = -1, waiting = -1, errors = errors) }
        advance.advance(connection, listOf(ended.id()), tally)
        return ended
    }

    private fun requireSame(gate: Gate, completion: GateCompletion) {
        val step = gate.step
        if (step.status() == completion.status() && !gate.isSameOutput) {
            throw ErrorCode.GATE_CONFLICTING_OUTPUT.exception(
                "Gate ${Text.quoted(step.stepKey())} succeeded before with another output, which stays.",
            )
        }
        val isSame = step.status() == completion.status() && step.statusReason() == completion.reason() &&
            step.lastErrorCode() == completion.errorCode() && step.lastErrorMessage() == completion.errorMessage()
        if (!isSame) {
            throw ErrorCode.GATE_CONFLICTING_COMPLETION.exception(
                "Gate ${Text.quoted(step.stepKey())} ended before as ${step.status()}, in other words than these: that stays.",
            )
        }
    }

    private fun notFound(completion: GateCompletion): RunledgerException = ErrorCode.GATE_NOT_FOUND.exception(
        "There is no gate ${Text.quoted(completion.stepKey())} of a run ${completion.runId()} in this scope: check run, key " +
            "and whose run it is.",
    )

    private class Gate(val step: WorkflowStep, val isSameOutput: Boolean)
}

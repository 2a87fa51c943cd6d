package io.runledger.exposed.workflow

import io.runledger.exposed.context.LedgerContext
import io.runledger.exposed.context.ValueKind
import io.runledger.exposed.context.encoded
import io.runledger.exposed.json.storedHeaders
import io.runledger.exposed.operator.ActionDraft
import io.runledger.exposed.operator.RecordActions
import io.runledger.exposed.sql.exception
import io.runledger.exposed.sql.row
import io.runledger.model.error.ErrorCode
import io.runledger.model.error.RunledgerException
import io.runledger.model.json.Json
import io.runledger.model.ledger.Scope
import io.runledger.model.operator.OperatorActionKind
import io.runledger.model.operator.OperatorTarget
import io.runledger.model.run.GateCompletion
import io.runledger.model.run.WorkflowStep
import io.runledger.model.text.Text
import io.runledger.model.value.HeaderSource
import io.runledger.model.workflow.StepKind
import io.runledger.model.workflow.WorkflowStepStatus
import java.sql.Connection

/** Completes a gate on request of a caller, and advances the steps that depend on it. */
internal class CompleteGate(private val context: LedgerContext) {
    private val runs = LockRuns(context)
    private val advance = AdvanceRuns(context)
    private val actions = RecordActions(context)

    fun complete(scope: Scope, completion: GateCompletion): WorkflowStep {
        val output = completion.output()?.let {
            context.encoded(it, "gate ${Text.quoted(completion.stepKey())}", ValueKind.OUTPUT)
        }
        val headers = context.headers.enqueued(emptyMap(), HeaderSource.Kind.GATE, completion.stepKey()).storedHeaders()
        return context.transactions.run { connection ->
            context.transactions.requireReadCommitted(connection, ErrorCode.GATE_ISOLATION)
            actions.record(connection, draft(scope, completion)) { act ->
                val gate = runs.lock(connection, scope, completion.runId())?.let { gate(connection, completion, output) }
                    ?: throw notFound(completion)
                requireCompletable(gate.step)
                act.changed(!gate.step.isTerminal)
                if (gate.step.isTerminal) {
                    requireSame(gate, completion)
                    gate.step
                } else {
                    end(connection, gate.step, completion, output, headers)
                }
            }
        }
    }

    private fun draft(scope: Scope, completion: GateCompletion): ActionDraft {
        val isSuccess = completion.status() == WorkflowStepStatus.SUCCEEDED
        val kind = if (isSuccess) OperatorActionKind.GATE_COMPLETE else OperatorActionKind.GATE_FAIL
        return ActionDraft(kind, OperatorTarget.step(completion.runId(), completion.stepKey()), completion.reason(), scope, 1)
    }

    private fun requireCompletable(step: WorkflowStep) {
        if (step.kind() != StepKind.EXTERNAL) {
            throw ErrorCode.GATE_NOT_EXTERNAL.exception(
                "Step ${Text.quoted(step.stepKey())} is a job step: it ends when its job ends. Complete only gates.",
            )
        }
        if (step.status() == WorkflowStepStatus.BLOCKED) {
            throw ErrorCode.GATE_NOT_WAITING.exception(
                "Gate ${Text.quoted(step.stepKey())} is not open yet: ${step.pendingDependencies()} of its prerequisites " +
                    "have not ended. Complete it after that.",
            )
        }
    }

    private fun gate(connection: Connection, completion: GateCompletion, output: Json?): Gate? = connection.row(
        context.statements["workflow/gate_state"],
        {
            json("output", output)
            uuid("run_id", completion.runId())
            text("step_key", completion.stepKey())
        },
    ) { Gate(workflowStep(), getBoolean("same_output")) }

    private fun end(
        connection: Connection,
        gate: WorkflowStep,
        completion: GateCompletion,
        output: Json?,
        headers: Json?,
    ): WorkflowStep {
        val ended = checkNotNull(
            connection.row(
                context.statements["workflow/gate_end"],
                {
                    text("status", completion.status().wire())
                    text("reason", completion.reason())
                    text("error_code", completion.errorCode())
                    text("error_message", completion.errorMessage())
                    json("output", output)
                    uuid("step_id", gate.id())
                },
            ) { workflowStep() },
        )
        val errors = if (ended.status() == WorkflowStepStatus.SUCCEEDED) 0 else 1
        val counters = RunCounters().apply { add(ended.runId(), open = -1, waiting = -1, errors = errors) }
        val end = EndedStep(ended.runId(), ended.id(), ended.status())
        advance.advance(connection, listOf(end), counters, headers = headers)
        return ended
    }

    private fun requireSame(gate: Gate, completion: GateCompletion) {
        val step = gate.step
        if (step.status() == completion.status() && !gate.isSameOutput) {
            throw ErrorCode.GATE_CONFLICTING_OUTPUT.exception(
                "Gate ${Text.quoted(step.stepKey())} has already succeeded with a different output. The first output is kept.",
            )
        }
        val isSame = step.status() == completion.status() && step.statusReason() == completion.reason() &&
            step.lastErrorCode() == completion.errorCode() && step.lastErrorMessage() == completion.errorMessage()
        if (!isSame) {
            throw ErrorCode.GATE_CONFLICTING_COMPLETION.exception(
                "Gate ${Text.quoted(step.stepKey())} has already ended as ${step.status()}, with a different status, reason or " +
                    "error. The first completion is kept.",
            )
        }
    }

    private fun notFound(completion: GateCompletion): RunledgerException = ErrorCode.GATE_NOT_FOUND.exception(
        "There is no gate ${Text.quoted(completion.stepKey())} of run ${completion.runId()} in this scope: check the run id, " +
            "the step key and the scope.",
    )

    private class Gate(val step: WorkflowStep, val isSameOutput: Boolean)
}

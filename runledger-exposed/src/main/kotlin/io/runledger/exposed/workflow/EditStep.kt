package io.runledger.exposed.workflow

import io.runledger.exposed.context.LedgerContext
import io.runledger.exposed.context.Reason
import io.runledger.exposed.context.encoded
import io.runledger.exposed.operator.Act
import io.runledger.exposed.operator.ActionDraft
import io.runledger.exposed.operator.RecordActions
import io.runledger.exposed.operator.by
import io.runledger.exposed.sql.exception
import io.runledger.exposed.sql.row
import io.runledger.exposed.sql.rows
import io.runledger.model.error.ErrorCode
import io.runledger.model.error.RunledgerException
import io.runledger.model.json.Json
import io.runledger.model.json.Payload
import io.runledger.model.ledger.Scope
import io.runledger.model.operator.OperatorActionKind
import io.runledger.model.operator.OperatorTarget
import io.runledger.model.run.WorkflowStep
import io.runledger.model.text.Text
import java.sql.Connection
import java.util.UUID

/** Replaces the payload of a step and of its job. The step must not have ended, and no worker may be running it. */
internal class EditStep(private val context: LedgerContext) {
    private val runs = LockRuns(context)
    private val actions = RecordActions(context)

    fun edit(scope: Scope, run: UUID, key: String, payload: Payload, reason: String): WorkflowStep {
        Reason.required(reason)
        val json = context.encoded(payload, "step ${Text.quoted(key)}")
        val draft = ActionDraft(OperatorActionKind.WORKFLOW_EDIT_STEP, OperatorTarget.step(run, key), reason, scope, 1)
        return context.transactions.run { connection ->
            actions.record(connection, draft) { act ->
                runs.lock(connection, scope, run) ?: throw runNotFound(run)
                val isChanged = write(connection, run, key, json, reason, act)
                val step = read(connection, run, key)
                if (step == null || isChanged == null) throw refusal(run, key, step)
                act.changed(isChanged)
                step
            }
        }
    }

    /** Gives the step an earlier payload back. Returns false if it is running, has ended, or has that payload. */
    fun restore(connection: Connection, scope: Scope, run: UUID, key: String, payload: Json, reason: String, act: Act): Boolean {
        runs.lock(connection, scope, run) ?: throw runNotFound(run)
        return write(connection, run, key, payload, reason, act) == true
    }

    /** Whether the payload changed; null if the step cannot be edited. */
    private fun write(connection: Connection, run: UUID, key: String, payload: Json, reason: String, act: Act): Boolean? =
        connection.row(
            context.statements["workflow/step_edit"],
            {
                json("payload", payload)
                text("reason", reason)
                uuid("run_id", run)
                text("step_key", key)
                by(act)
            },
        ) { getBoolean("is_changed") }

    private fun refusal(run: UUID, key: String, step: WorkflowStep?): RunledgerException = if (step == null) {
        ErrorCode.STEP_NOT_FOUND.exception("Run $run has no step ${Text.quoted(key)}: list the steps of the run to find the key.")
    } else {
        ErrorCode.STEP_STATE.exception(
            "Step ${Text.quoted(key)} is ${step.status()}: only a step that is waiting can be edited.",
        )
    }

    private fun read(connection: Connection, run: UUID, key: String): WorkflowStep? = connection.rows(
        context.statements["workflow/steps_by_key"],
        {
            uuid("run_id", run)
            texts("step_keys", listOf(key))
        },
    ) { workflowStep() }.singleOrNull()
}

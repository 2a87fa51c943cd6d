package io.runledger.exposed.workflow

import io.runledger.exposed.LedgerContext
import io.runledger.exposed.control.Reason
import io.runledger.exposed.intake.encoded
import io.runledger.exposed.sql.exception
import io.runledger.exposed.sql.row
import io.runledger.exposed.sql.rows
import io.runledger.exposed.sql.uuid
import io.runledger.model.error.ErrorCode
import io.runledger.model.error.RunledgerException
import io.runledger.model.id.Text
import io.runledger.model.json.Json
import io.runledger.model.json.Payload
import io.runledger.model.state.Scope
import io.runledger.model.state.WorkflowStep
import java.sql.Connection
import java.util.UUID

/** Replaces the payload of a step that nobody runs and that has not ended, and of its job with it. */
internal class EditStep(private val context: LedgerContext) {
    private val runs = LockRuns(context)

    fun edit(scope: Scope, run: UUID, key: String, payload: Payload, reason: String): WorkflowStep {
        Reason.required(reason)
        val json = context.encoded(payload, "step ${Text.quoted(key)}")
        return context.transactions.run { connection ->
            runs.lock(connection, scope, run) ?: throw runNotFound(run)
            val isEdited = write(connection, run, key, json, reason)
            val step = read(connection, run, key)
            if (step == null || !isEdited) throw refusal(run, key, step)
            step
        }
    }

    private fun write(connection: Connection, run: UUID, key: String, payload: Json, reason: String): Boolean = connection.row(
        context.statements["step_edit"],
        {
            json(payload)
            text(reason)
            uuid(run)
            text(key)
        },
    ) { uuid("id") } != null

    private fun refusal(run: UUID, key: String, step: WorkflowStep?): RunledgerException = if (step == null) {
        ErrorCode.STEP_NOT_FOUND.exception("Run $run has no step ${Text.quoted(key)}: its steps can be listed.")
    } else {
        ErrorCode.STEP_STATE.exception(
            "Step ${Text.quoted(key)} is ${step.status()}: only a step that waits can be edited.",
        )
    }

    private fun read(connection: Connection, run: UUID, key: String): WorkflowStep? = connection.rows(
        context.statements["steps_by_key"],
        {
            uuid(run)
            texts(listOf(key))
        },
    ) { workflowStep() }.singleOrNull()
}

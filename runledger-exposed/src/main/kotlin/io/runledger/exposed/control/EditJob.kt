package io.runledger.exposed.control

import io.runledger.exposed.context.LedgerContext
import io.runledger.exposed.context.Reason
import io.runledger.exposed.context.encoded
import io.runledger.exposed.context.notFound
import io.runledger.exposed.operator.Act
import io.runledger.exposed.operator.ActionDraft
import io.runledger.exposed.operator.RecordActions
import io.runledger.exposed.operator.by
import io.runledger.exposed.sql.exception
import io.runledger.exposed.sql.row
import io.runledger.exposed.sql.scope
import io.runledger.exposed.sql.scoped
import io.runledger.model.error.ErrorCode
import io.runledger.model.error.RunledgerException
import io.runledger.model.job.Job
import io.runledger.model.json.Json
import io.runledger.model.json.Payload
import io.runledger.model.ledger.Scope
import io.runledger.model.operator.OperatorActionKind
import io.runledger.model.operator.OperatorTarget
import java.sql.Connection
import java.util.UUID

/** Replaces the payload of a job that is not running. */
internal class EditJob(private val context: LedgerContext) {
    private val states = ReadJobStates(context)
    private val jobs = ReadJob(context)
    private val actions = RecordActions(context)

    fun edit(scope: Scope, id: UUID, payload: Payload, reason: String): Job {
        Reason.required(reason)
        val json = context.encoded(payload, "job $id")
        val draft = ActionDraft(OperatorActionKind.JOB_EDIT, OperatorTarget.job(id), reason, scope, 1)
        return context.transactions.run { connection ->
            actions.record(connection, draft) { act ->
                val isChanged = write(connection, scope, id, json, reason, act) ?: throw refusal(connection, scope, id)
                val job = checkNotNull(jobs.read(connection, scope, id)) {
                    "Job $id was edited and cannot be read in the same transaction."
                }
                job.also { act.changed(isChanged) }
            }
        }
    }

    /** Whether the payload changed; null if the job cannot be edited. */
    private fun write(connection: Connection, scope: Scope, id: UUID, payload: Json, reason: String, act: Act): Boolean? =
        connection.row(
            context.statements.scoped("control/edit", scope),
            {
                json("payload", payload)
                text("reason", reason)
                uuid("job_id", id)
                scope(scope)
                by(act)
            },
        ) { getBoolean("is_changed") }

    private fun refusal(connection: Connection, scope: Scope, id: UUID): RunledgerException {
        val found = states.read(connection, scope, listOf(id))[id]
        return when {
            found == null -> notFound(id)

            found.hasStep -> ErrorCode.INVALID_ARGUMENT.exception(
                "Job $id belongs to a workflow step, which has a payload of its own: edit the step instead.",
            )

            else -> ErrorCode.JOB_STATE.exception(
                "Job $id is ${found.status}: only a PENDING, CANCELED or DEAD_LETTERED job can be edited.",
            )
        }
    }
}

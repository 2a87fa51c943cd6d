package io.runledger.exposed.control

import io.runledger.exposed.context.LedgerContext
import io.runledger.exposed.context.Reason
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
import io.runledger.model.ledger.Scope
import io.runledger.model.operator.OperatorActionKind
import io.runledger.model.operator.OperatorTarget
import java.sql.Connection
import java.util.UUID

/** Lets the jobs behind a dead letter in its order go on. */
internal class ReleaseOrder(private val context: LedgerContext) {
    private val states = ReadJobStates(context)
    private val jobs = ReadJob(context)
    private val actions = RecordActions(context)

    fun release(scope: Scope, id: UUID, reason: String): Job {
        Reason.required(reason)
        val draft = ActionDraft(OperatorActionKind.JOB_RELEASE_ORDER, OperatorTarget.job(id), reason, scope, 1)
        return context.transactions.run { connection ->
            actions.record(connection, draft) { act ->
                val isChanged = write(connection, scope, id, reason, act) ?: throw refusal(connection, scope, id)
                act.changed(isChanged)
                jobs.read(connection, scope, id) ?: throw notFound(id)
            }
        }
    }

    /** Whether the dead letter held other jobs back; null if it is none. */
    private fun write(connection: Connection, scope: Scope, id: UUID, reason: String, act: Act): Boolean? = connection.row(
        context.statements.scoped("control/release_order", scope),
        {
            text("reason", reason)
            uuid("job_id", id)
            scope(scope)
            by(act)
        },
    ) { getBoolean("is_changed") }

    private fun refusal(connection: Connection, scope: Scope, id: UUID): RunledgerException {
        val found = states.read(connection, scope, listOf(id))[id] ?: return notFound(id)
        return ErrorCode.JOB_STATE.exception("Job $id is ${found.status}: only a DEAD_LETTERED job can hold other jobs back.")
    }
}

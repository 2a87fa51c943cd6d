package io.runledger.exposed.control

import io.runledger.exposed.context.LedgerContext
import io.runledger.exposed.context.Reason
import io.runledger.exposed.context.notFound
import io.runledger.exposed.operator.Act
import io.runledger.exposed.operator.ActionDraft
import io.runledger.exposed.operator.RecordActions
import io.runledger.exposed.operator.by
import io.runledger.exposed.operator.storedForm
import io.runledger.exposed.sql.exception
import io.runledger.exposed.sql.rows
import io.runledger.exposed.sql.scope
import io.runledger.exposed.sql.scoped
import io.runledger.exposed.sql.uuid
import io.runledger.model.error.ErrorCode
import io.runledger.model.error.RunledgerException
import io.runledger.model.job.Job
import io.runledger.model.job.JobSelection
import io.runledger.model.job.JobStatus
import io.runledger.model.ledger.Scope
import io.runledger.model.operator.OperatorTarget
import java.sql.Connection
import java.util.UUID

/** Changes when and in which order waiting jobs start. Jobs of steps too: their step says nothing about it. */
internal class ChangeWaiting(private val context: LedgerContext) {
    private val selections = SelectJobs(context)
    private val states = ReadJobStates(context)
    private val jobs = ReadJob(context)
    private val actions = RecordActions(context)

    fun change(scope: Scope, id: UUID, change: WaitingChange, reason: String): Job {
        val draft = ActionDraft(change.kind, OperatorTarget.job(id), Reason.required(reason), scope, 1)
        return context.transactions.run { connection ->
            actions.record(connection, draft) { act ->
                act.details += change.facts
                val isChanged = write(connection, scope, listOf(id), change, reason, act)[id]
                    ?: throw refusal(connection, scope, id)
                act.changed(isChanged)
                checkNotNull(jobs.read(connection, scope, id)) {
                    "Job $id was changed and cannot be read in the same transaction."
                }
            }
        }
    }

    /**
     * A changed job may appear again later in the walk, because its new time or priority is its place in the index. Then it is
     * as wanted, so that it is not changed again.
     */
    fun changeAll(scope: Scope, selection: JobSelection, change: WaitingChange, reason: String): Long {
        val draft = ActionDraft(change.kind, OperatorTarget.selection(), Reason.required(reason), scope)
        val wanted = selections.existing(scope, selection, statusesOf(selection, setOf(JobStatus.PENDING)))
        return actions.inBatches(draft, selection.storedForm(scope) + change.facts) { batches ->
            var changed = 0L
            selections.forEachBatch(wanted) { connection, batch ->
                changed += batches.batch(connection) { act ->
                    write(connection, scope, batch.map { it.id }, change, reason, act).count { it.value }
                }
            }
            changed
        }
    }

    /** Whether each of the waiting jobs was changed. Other jobs are left out. */
    private fun write(
        connection: Connection,
        scope: Scope,
        ids: List<UUID>,
        change: WaitingChange,
        reason: String,
        act: Act,
    ): Map<UUID, Boolean> = connection.rows(
        context.statements.scoped(change.statement, scope),
        {
            uuids("job_ids", ids)
            text("reason", reason)
            scope(scope)
            by(act)
            change.bind(this)
        },
    ) { uuid("id") to getBoolean("is_changed") }.toMap()

    private fun refusal(connection: Connection, scope: Scope, id: UUID): RunledgerException {
        val found = states.read(connection, scope, listOf(id))[id] ?: return notFound(id)
        return ErrorCode.JOB_STATE.exception(
            if (found.status == JobStatus.PENDING && found.hasStep) {
                "Job $id belongs to a paused run: resume the run first."
            } else {
                "Job $id is ${found.status}: only a PENDING job can be moved in the queue."
            },
        )
    }
}

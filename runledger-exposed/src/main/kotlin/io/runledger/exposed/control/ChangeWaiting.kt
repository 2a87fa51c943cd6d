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
import java.time.Instant
import java.util.UUID

/** Changes when and in which order waiting jobs start. Jobs of steps too: their step says nothing about it. */
internal class ChangeWaiting(private val context: LedgerContext) {
    private val selections = SelectJobs(context)
    private val states = ReadJobStates(context)
    private val jobs = ReadJob(context)
    private val actions = RecordActions(context)

    /** If [seen] is set, the job is changed only if it is still as seen. */
    fun change(scope: Scope, id: UUID, change: WaitingChange, reason: String, seen: Job? = null): Job {
        val draft = ActionDraft(change.kind, OperatorTarget.job(id), Reason.required(reason), scope, 1)
        return context.transactions.run { connection ->
            actions.record(connection, draft) { act ->
                act.details += change.facts
                val isChanged = write(connection, scope, listOf(id), change, reason, act, seen)[id]
                    ?: throw refusal(connection, scope, id, seen)
                act.changed(isChanged)
                checkNotNull(jobs.read(connection, scope, id)) {
                    "Job $id was changed and cannot be read in the same transaction."
                }
            }
        }
    }

    /**
     * A changed job may appear again later in the walk, because its new time or priority is its place in the index. Then it is
     * as wanted, so that it is not changed again; or the change is relative, and leaves out what has changed since the walk
     * began.
     */
    fun changeAll(scope: Scope, selection: JobSelection, change: WaitingChange, reason: String): Long {
        val draft = ActionDraft(change.kind, OperatorTarget.selection(), Reason.required(reason), scope)
        val wanted = selections.existing(scope, selection, statusesOf(selection, setOf(JobStatus.PENDING)))
        return actions.inBatches(draft, selection.storedForm(scope) + change.facts) { batches ->
            var changed = 0L
            selections.forEachBatch(wanted) { connection, batch ->
                changed += batches.batch(connection) { act ->
                    write(connection, scope, batch.map { it.id }, change, reason, act, before = wanted.before).count { it.value }
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
        seen: Job? = null,
        before: Instant? = null,
    ): Map<UUID, Boolean> = connection.rows(
        context.statements.scoped(change.statement, scope),
        {
            uuids("job_ids", ids)
            text("reason", reason)
            scope(scope)
            by(act)
            int("seen_run", seen?.runNumber())
            int("seen_attempt", seen?.attempt())
            instant("seen_at", seen?.nextRunAt())
            int("seen_priority", seen?.priority())
            if (change.isRelative) instant("before", before)
            change.bind(this)
        },
    ) { uuid("id") to getBoolean("is_changed") }.toMap()

    private fun refusal(connection: Connection, scope: Scope, id: UUID, seen: Job?): RunledgerException {
        val found = states.read(connection, scope, listOf(id))[id] ?: return notFound(id)
        return ErrorCode.JOB_STATE.exception(
            when {
                found.status != JobStatus.PENDING -> "Job $id is ${found.status}: only a PENDING job can be moved in the queue."
                seen != null -> "Job $id has changed since it was read, or its run is paused: read it again."
                else -> "Job $id belongs to a paused run: resume the run first."
            },
        )
    }
}

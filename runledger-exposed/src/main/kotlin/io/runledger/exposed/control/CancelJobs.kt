package io.runledger.exposed.control

import io.runledger.exposed.context.LedgerContext
import io.runledger.exposed.context.Reason
import io.runledger.exposed.context.notFound
import io.runledger.exposed.context.requireLimit
import io.runledger.exposed.operator.Act
import io.runledger.exposed.operator.ActionDraft
import io.runledger.exposed.operator.RecordActions
import io.runledger.exposed.operator.by
import io.runledger.exposed.operator.storedForm
import io.runledger.exposed.sql.exception
import io.runledger.exposed.sql.instantOrNull
import io.runledger.exposed.sql.rows
import io.runledger.exposed.sql.scope
import io.runledger.exposed.sql.scoped
import io.runledger.exposed.sql.uuid
import io.runledger.exposed.workflow.AdvanceRuns
import io.runledger.exposed.workflow.LockRuns
import io.runledger.model.error.ErrorCode
import io.runledger.model.job.CanceledJob
import io.runledger.model.job.CanceledJob.Result
import io.runledger.model.job.Job
import io.runledger.model.job.JobSelection
import io.runledger.model.job.JobStatus
import io.runledger.model.ledger.Scope
import io.runledger.model.operator.OperatorActionKind
import io.runledger.model.operator.OperatorTarget
import io.runledger.model.workflow.WorkflowStepStatus
import java.sql.Connection
import java.util.UUID

/** Cancels jobs in one statement, together with their workflow steps. */
internal class CancelJobs(private val context: LedgerContext) {
    private val selections = SelectJobs(context)
    private val runs = LockRuns(context)
    private val advance = AdvanceRuns(context)
    private val jobs = ReadJob(context)
    private val actions = RecordActions(context)

    fun cancel(scope: Scope, id: UUID, reason: String?): Job {
        val why = Reason.of(reason, CANCELED)
        return recorded(draft(OperatorTarget.job(id), scope, why, 1)) { connection, act ->
            val canceled = cancel(connection, scope, listOf(id), live, why, act).single()
            val job = if (canceled.result() == Result.NOT_FOUND) null else jobs.read(connection, scope, id)
            when {
                job == null -> throw notFound(id)

                canceled.result() == Result.CANCELED -> job.also { act.changed(1) }

                else -> throw ErrorCode.JOB_STATE.exception(
                    "Job $id is ${job.status()}: only a job that has not ended can be canceled.",
                )
            }
        }
    }

    fun cancelAll(scope: Scope, ids: List<UUID>, reason: String?): List<CanceledJob> {
        val why = Reason.of(reason, CANCELED)
        if (ids.isEmpty()) return emptyList()
        val target = ids.singleOrNull()?.let(OperatorTarget::job) ?: OperatorTarget.jobs()
        return recorded(draft(target, scope, why, ids.size)) { connection, act ->
            val answer = cancel(connection, scope, ids, live, why, act)
            act.changed(answer.count { it.result() == Result.CANCELED })
            if (act.changed == 0L) act.refused()
            answer
        }
    }

    fun cancelWhere(scope: Scope, selection: JobSelection, reason: String?, limit: Int): List<CanceledJob> {
        val why = Reason.of(reason, CANCELED)
        requireLimit(limit)
        val statuses = statusesOf(selection, live)
        return recorded(draft(OperatorTarget.selection(), scope, why)) { connection, act ->
            act.details += selection.storedForm(scope)
            val ids = selections.select(connection, WantedJobs(scope, selection, statuses), limit).map { it.id }
            if (ids.isEmpty()) return@recorded emptyList()
            cancel(connection, scope, ids, statuses, why, act).filter { it.result() == Result.CANCELED }
                .also { act.changed(it.size) }
        }
    }

    /**
     * Repeats the walk over the selection until it cancels no more jobs, because a job may change its status during the walk. A
     * canceled job does not match again.
     */
    fun cancelAllWhere(scope: Scope, selection: JobSelection, reason: String?): Long {
        val why = Reason.of(reason, CANCELED)
        val statuses = statusesOf(selection, live)
        val wanted = selections.existing(scope, selection, statuses)
        return actions.inBatches(draft(OperatorTarget.selection(), scope, why), selection.storedForm(scope)) { batches ->
            var canceled = 0L
            do {
                val before = canceled
                selections.forEachBatch(wanted) { connection, batch ->
                    canceled += batches.batch(connection) { act ->
                        cancel(connection, scope, batch.map { it.id }, statuses, why, act)
                            .count { it.result() == Result.CANCELED }
                    }
                }
            } while (canceled > before)
            canceled
        }
    }

    /**
     * Cancels the jobs of a run that the caller has locked, with the code and message of the cancellation if it has any. Returns
     * the number of jobs. The caller counts their steps as ended.
     */
    fun cancelHeld(
        connection: Connection,
        ids: List<UUID>,
        reason: String,
        act: Act,
        errorCode: String?,
        errorMessage: String?,
    ): Int = write(connection, Scope.everything(), ids, live, reason, act, errorCode, errorMessage)
        .count { it.result() == Result.CANCELED }

    private fun draft(target: OperatorTarget, scope: Scope, reason: String, total: Int? = null) =
        ActionDraft(OperatorActionKind.JOB_CANCEL, target, reason, scope, total?.toLong())

    private fun <T> recorded(draft: ActionDraft, work: (Connection, Act) -> T): T = context.transactions.run { connection ->
        actions.record(connection, draft) { act -> work(connection, act) }
    }

    /** Locks the runs before the jobs. The steps of canceled jobs end with them. */
    private fun cancel(
        connection: Connection,
        scope: Scope,
        ids: List<UUID>,
        statuses: Set<JobStatus>,
        reason: String,
        act: Act,
    ): List<CanceledJob> {
        val steps = runs.lockFor(connection, scope, ids)
        if (steps.isNotEmpty()) context.transactions.requireReadCommitted(connection, ErrorCode.CANCEL_ISOLATION)
        val answer = write(connection, scope, ids, statuses, reason, act)
        val ended = answer.filter { it.result() == Result.CANCELED }.mapNotNull { steps[it.jobId()] }
        advance.afterJobs(connection, ended.associateWith { WorkflowStepStatus.CANCELED })
        return answer
    }

    private fun write(
        connection: Connection,
        scope: Scope,
        ids: List<UUID>,
        statuses: Set<JobStatus>,
        reason: String,
        act: Act,
        errorCode: String? = null,
        errorMessage: String? = null,
    ): List<CanceledJob> {
        val found = connection.rows(
            context.statements.scoped("control/cancel", scope),
            {
                uuids("job_ids", ids)
                scope(scope)
                wires("statuses", statuses.toList())
                text("reason", reason)
                text("error_code", errorCode)
                text("error_message", errorMessage)
                by(act)
            },
        ) {
            val result = if (getBoolean("is_canceled")) Result.CANCELED else Result.ALREADY_ENDED
            CanceledJob(uuid("id"), result, instantOrNull("lease_expires_at"))
        }.associateBy { it.jobId() }
        return ids.map { found[it] ?: CanceledJob(it, Result.NOT_FOUND, null) }
    }

    private companion object {
        const val CANCELED = "CANCELED"
        val live = setOf(JobStatus.PENDING, JobStatus.LEASED)
    }
}

package io.runledger.exposed.control

import io.runledger.exposed.context.LedgerContext
import io.runledger.exposed.context.Reason
import io.runledger.exposed.operator.Act
import io.runledger.exposed.operator.ActionDraft
import io.runledger.exposed.operator.RecordActions
import io.runledger.exposed.sql.rows
import io.runledger.exposed.sql.update
import io.runledger.exposed.sql.uuid
import io.runledger.exposed.workflow.AdvanceRuns
import io.runledger.exposed.workflow.LockRuns
import io.runledger.exposed.workflow.RunCounters
import io.runledger.exposed.workflow.runNotFound
import io.runledger.model.error.ErrorCode
import io.runledger.model.ledger.Scope
import io.runledger.model.operator.OperatorActionKind
import io.runledger.model.operator.OperatorTarget
import io.runledger.model.workflow.WorkflowRun
import java.sql.Connection
import java.util.UUID

/** Cancels a run with all its jobs, open gates and blocked steps that have not ended. */
internal class CancelRun(private val context: LedgerContext) {
    private val runs = LockRuns(context)
    private val jobs = CancelJobs(context)
    private val advance = AdvanceRuns(context)
    private val actions = RecordActions(context)

    fun cancel(scope: Scope, id: UUID, reason: String?, errorCode: String?, errorMessage: String?): WorkflowRun {
        val why = Reason.of(reason, CANCELED)
        errorCode?.let(Reason::required)
        errorMessage?.let(Reason::required)
        return context.transactions.run { connection ->
            context.transactions.requireReadCommitted(connection, ErrorCode.CANCEL_ISOLATION)
            val draft = ActionDraft(OperatorActionKind.WORKFLOW_CANCEL, OperatorTarget.run(id), why, scope, 1)
            actions.record(connection, draft) { act ->
                val run = runs.lock(connection, scope, id) ?: throw runNotFound(id)
                act.changed(!run.isTerminal)
                if (run.isTerminal) {
                    run
                } else {
                    cancel(connection, run, why, act, errorCode, errorMessage)
                    checkNotNull(runs.lock(connection, scope, id))
                }
            }
        }
    }

    private fun cancel(
        connection: Connection,
        run: WorkflowRun,
        reason: String,
        act: Act,
        errorCode: String?,
        errorMessage: String?,
    ) {
        val live = connection.rows(context.statements["control/run_jobs"], { uuid("run_id", run.id()) }) { uuid("job_id") }
        val canceledJobs = if (live.isEmpty()) 0 else jobs.cancelHeld(connection, live, reason, act, errorCode, errorMessage)
        val canceled = canceledJobs + connection.update(context.statements["control/run_cancel_steps"]) {
            text("reason", reason)
            text("error_code", errorCode)
            text("error_message", errorMessage)
            uuid("run_id", run.id())
        }
        val counters = RunCounters()
        counters.add(run.id(), -run.openSteps(), -run.activeSteps(), -run.waitingSteps(), canceled)
        counters.cancel(run.id(), reason)
        advance.advance(connection, emptyList(), counters)
    }

    private companion object {
        const val CANCELED = "CANCELED"
    }
}

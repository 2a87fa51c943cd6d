package io.runledger.exposed.workflow

import io.runledger.exposed.LedgerContext
import io.runledger.exposed.control.CancelJobs
import io.runledger.exposed.control.Reason
import io.runledger.exposed.sql.rows
import io.runledger.exposed.sql.update
import io.runledger.exposed.sql.uuid
import io.runledger.model.error.ErrorCode
import io.runledger.model.state.Scope
import io.runledger.model.state.WorkflowRun
import java.sql.Connection
import java.util.UUID

/** Cancels what has not ended of a run: its jobs, its open gates, its blocked steps, itself. */
internal class CancelRun(private val context: LedgerContext) {
    private val runs = LockRuns(context)
    private val jobs = CancelJobs(context)
    private val advance = AdvanceRuns(context)

    fun cancel(scope: Scope, id: UUID, reason: String?, errorCode: String?, errorMessage: String?): WorkflowRun {
        val why = Reason.of(reason, CANCELED)
        errorCode?.let(Reason::required)
        errorMessage?.let(Reason::required)
        return context.transactions.run { connection ->
            context.transactions.requireReadCommitted(connection, ErrorCode.CANCEL_ISOLATION)
            val run = runs.lock(connection, scope, id) ?: throw runNotFound(id)
            if (run.isTerminal) {
                run
            } else {
                cancel(connection, run, why, errorCode, errorMessage)
                checkNotNull(runs.lock(connection, scope, id))
            }
        }
    }

    private fun cancel(connection: Connection, run: WorkflowRun, reason: String, errorCode: String?, errorMessage: String?) {
        val live = connection.rows(context.statements["run_jobs"], { uuid(run.id()) }) { uuid("job_id") }
        if (live.isNotEmpty()) jobs.cancelHeld(connection, live, reason)
        val canceled = connection.update(context.statements["run_cancel_steps"]) {
            text(reason)
            text(errorCode)
            text(errorMessage)
            uuid(run.id())
        }
        val tally = Tally()
        tally.add(run.id(), -run.openSteps(), -run.activeSteps(), -run.waitingSteps(), canceled)
        tally.cancel(run.id(), reason)
        advance.advance(connection, emptyList(), tally)
    }

    private companion object {
        const val CANCELED = "CANCELED"
    }
}

package io.runledger.exposed.workflow

import io.runledger.exposed.LedgerContext
import io.runledger.exposed.control.Reason
import io.runledger.exposed.sql.row
import io.runledger.model.error.ErrorCode
import io.runledger.model.state.PausedRun
import io.runledger.model.state.ResumedRun
import io.runledger.model.state.Scope
import io.runledger.model.state.WorkflowRun
import java.sql.Connection
import java.util.UUID

/**
 * Holds back what has not begun of a run, and lets it go. Every live job of a paused run is marked, also those that workers run,
 * and every job that it queues meanwhile is born with the mark: claims pass marked jobs, so nothing else needs to know of the
 * pause.
 */
internal class PauseRun(private val context: LedgerContext) {
    private val runs = LockRuns(context)

    fun pause(scope: Scope, id: UUID, reason: String?): PausedRun = change(scope, id, reason) { connection, run ->
        when {
            run.isTerminal -> PausedRun(run, PausedRun.Result.ALREADY_ENDED)
            run.isPaused -> PausedRun(run, PausedRun.Result.ALREADY_PAUSED)
            else -> PausedRun(write(connection, "run_pause", id, reason), PausedRun.Result.PAUSED)
        }
    }

    fun resume(scope: Scope, id: UUID, reason: String?): ResumedRun = change(scope, id, reason) { connection, run ->
        when {
            run.isTerminal -> ResumedRun(run, ResumedRun.Result.ALREADY_ENDED)
            !run.isPaused -> ResumedRun(run, ResumedRun.Result.NOT_PAUSED)
            else -> ResumedRun(write(connection, "run_resume", id, reason), ResumedRun.Result.RESUMED)
        }
    }

    private fun <T> change(scope: Scope, id: UUID, reason: String?, decide: (Connection, WorkflowRun) -> T): T {
        reason?.let(Reason::required)
        return context.transactions.run { connection ->
            context.transactions.requireReadCommitted(connection, ErrorCode.PAUSE_ISOLATION)
            decide(connection, runs.lock(connection, scope, id) ?: throw runNotFound(id))
        }
    }

    private fun write(connection: Connection, statement: String, id: UUID, reason: String?): WorkflowRun = checkNotNull(
        connection.row(
            context.statements[statement],
            {
                uuid(id)
                text(reason)
            },
        ) { workflowRun() },
    )
}

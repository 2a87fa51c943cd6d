package io.runledger.exposed.workflow

import io.runledger.exposed.context.LedgerContext
import io.runledger.exposed.context.Reason
import io.runledger.exposed.sql.row
import io.runledger.model.error.ErrorCode
import io.runledger.model.ledger.Scope
import io.runledger.model.run.PausedRun
import io.runledger.model.run.ResumedRun
import io.runledger.model.workflow.WorkflowRun
import java.sql.Connection
import java.util.UUID

/**
 * Pauses and resumes runs. Every live job of a paused run is marked as paused, including leased jobs. Jobs that the run queues
 * while it is paused are inserted with the mark. Claims skip marked jobs, so no other code needs to check for a pause.
 */
internal class PauseRun(private val context: LedgerContext) {
    private val runs = LockRuns(context)

    fun pause(scope: Scope, id: UUID, reason: String?): PausedRun = change(scope, id, reason) { connection, run ->
        when {
            run.isTerminal -> PausedRun(run, PausedRun.Result.ALREADY_ENDED)
            run.isPaused -> PausedRun(run, PausedRun.Result.ALREADY_PAUSED)
            else -> PausedRun(write(connection, "workflow/run_pause", id, reason), PausedRun.Result.PAUSED)
        }
    }

    fun resume(scope: Scope, id: UUID, reason: String?): ResumedRun = change(scope, id, reason) { connection, run ->
        when {
            run.isTerminal -> ResumedRun(run, ResumedRun.Result.ALREADY_ENDED)
            !run.isPaused -> ResumedRun(run, ResumedRun.Result.NOT_PAUSED)
            else -> ResumedRun(write(connection, "workflow/run_resume", id, reason), ResumedRun.Result.RESUMED)
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
                uuid("run_id", id)
                text("reason", reason)
            },
        ) { workflowRun() },
    )
}

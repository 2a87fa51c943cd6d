package io.runledger.exposed.workflow

import io.runledger.exposed.context.LedgerContext
import io.runledger.exposed.context.Reason
import io.runledger.exposed.operator.Act
import io.runledger.exposed.operator.ActionDraft
import io.runledger.exposed.operator.RecordActions
import io.runledger.exposed.sql.row
import io.runledger.model.error.ErrorCode
import io.runledger.model.ledger.Scope
import io.runledger.model.operator.OperatorActionKind
import io.runledger.model.operator.OperatorTarget
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
    private val actions = RecordActions(context)

    fun pause(scope: Scope, id: UUID, reason: String?): PausedRun =
        recorded(draft(OperatorActionKind.WORKFLOW_PAUSE, scope, id, reason)) { connection, act ->
            pause(connection, scope, id, reason, act)
        }

    fun resume(scope: Scope, id: UUID, reason: String?): ResumedRun =
        recorded(draft(OperatorActionKind.WORKFLOW_RESUME, scope, id, reason)) { connection, act ->
            resume(connection, scope, id, reason, act)
        }

    fun pause(connection: Connection, scope: Scope, id: UUID, reason: String?, act: Act): PausedRun {
        val run = lock(connection, scope, id)
        act.changed(!run.isTerminal && !run.isPaused)
        return when {
            run.isTerminal -> PausedRun(run, PausedRun.Result.ALREADY_ENDED)
            run.isPaused -> PausedRun(run, PausedRun.Result.ALREADY_PAUSED)
            else -> PausedRun(write(connection, "workflow/run_pause", id, reason), PausedRun.Result.PAUSED)
        }
    }

    fun resume(connection: Connection, scope: Scope, id: UUID, reason: String?, act: Act): ResumedRun {
        val run = lock(connection, scope, id)
        act.changed(!run.isTerminal && run.isPaused)
        return when {
            run.isTerminal -> ResumedRun(run, ResumedRun.Result.ALREADY_ENDED)
            !run.isPaused -> ResumedRun(run, ResumedRun.Result.NOT_PAUSED)
            else -> ResumedRun(write(connection, "workflow/run_resume", id, reason), ResumedRun.Result.RESUMED)
        }
    }

    private fun draft(kind: OperatorActionKind, scope: Scope, id: UUID, reason: String?) =
        ActionDraft(kind, OperatorTarget.run(id), reason?.let(Reason::required), scope, 1)

    private fun <T> recorded(draft: ActionDraft, work: (Connection, Act) -> T): T = context.transactions.run { connection ->
        actions.record(connection, draft) { act -> work(connection, act) }
    }

    private fun lock(connection: Connection, scope: Scope, id: UUID): WorkflowRun {
        context.transactions.requireReadCommitted(connection, ErrorCode.PAUSE_ISOLATION)
        return runs.lock(connection, scope, id) ?: throw runNotFound(id)
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

package io.runledger.exposed.audit

import io.runledger.exposed.context.LedgerContext
import io.runledger.exposed.operator.Act
import io.runledger.exposed.operator.Batches
import io.runledger.exposed.operator.by
import io.runledger.exposed.sql.rows
import io.runledger.exposed.sql.scope
import io.runledger.exposed.sql.scoped
import io.runledger.exposed.sql.uuid
import io.runledger.model.ledger.Scope
import io.runledger.model.operator.OperatorAction
import io.runledger.model.operator.OperatorActionKind
import io.runledger.model.operator.UndoneAction
import java.sql.Connection
import java.util.UUID

/** Undoes changes of jobs, from the lines that the action wrote to their journal. Each batch of lines has its own transaction. */
internal class UndoJobChanges(private val context: LedgerContext) {
    /** The statement that undoes actions of [kind]; null if it is not a change of jobs that can be undone. */
    fun statementFor(kind: OperatorActionKind): String? = when (kind) {
        OperatorActionKind.JOB_CANCEL -> "audit/undo_cancel"
        OperatorActionKind.JOB_RUN_NOW, OperatorActionKind.JOB_RESCHEDULE -> "audit/undo_reschedule"
        OperatorActionKind.JOB_REPRIORITIZE -> "audit/undo_reprioritize"
        OperatorActionKind.JOB_EDIT -> "audit/undo_edit"
        else -> null
    }

    fun undo(
        scope: Scope,
        action: OperatorAction,
        batches: Batches,
        statement: String,
        mark: (Connection, Act, UUID) -> Unit,
    ): UndoneAction {
        val reason = checkNotNull(batches.reason)
        // While the action runs, it locks jobs before its record. The mark is committed first, so that the two cannot deadlock.
        // The next batch of the action is then refused.
        var isMarked = !action.isFinished
        if (isMarked) inBatch(batches) { connection, act -> 0.also { mark(connection, act, action.id()) } }
        var after = 0L
        var restored = 0L
        var movedOn = 0L
        do {
            var lines = emptyList<Long>()
            restored += inBatch(batches) { connection, act ->
                if (!isMarked) mark(connection, act, action.id())
                lines = lines(connection, action.id(), after)
                val undone = if (lines.isEmpty()) 0 else write(connection, scope, statement, lines, reason, act)
                movedOn += lines.size - undone
                act.details["moved_on"] = movedOn
                undone
            }
            isMarked = true
            after = lines.lastOrNull() ?: after
        } while (lines.size == BATCH)
        return UndoneAction(checkNotNull(batches.act.id), restored, movedOn)
    }

    private fun inBatch(batches: Batches, work: (Connection, Act) -> Int): Int = context.transactions.run { connection ->
        batches.batch(connection) { act -> work(connection, act) }
    }

    private fun lines(connection: Connection, action: UUID, after: Long): List<Long> = connection.rows(
        context.statements["audit/action_lines"],
        {
            uuid("action_id", action)
            long("after_id", after)
            int("limit", BATCH)
        },
    ) { getLong("id") }

    private fun write(
        connection: Connection,
        scope: Scope,
        statement: String,
        lines: List<Long>,
        reason: String,
        act: Act,
    ): Int = connection.rows(
        context.statements.scoped(statement, scope),
        {
            longs("line_ids", lines)
            text("reason", reason)
            scope(scope)
            by(act)
        },
    ) { uuid("id") }.size

    private companion object {
        const val BATCH = 500
    }
}

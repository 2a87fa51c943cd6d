package io.runledger.exposed.audit

import io.runledger.exposed.context.LedgerContext
import io.runledger.exposed.context.Reason
import io.runledger.exposed.operator.Act
import io.runledger.exposed.operator.ActionDraft
import io.runledger.exposed.operator.RecordActions
import io.runledger.exposed.sql.exception
import io.runledger.exposed.sql.row
import io.runledger.exposed.sql.uuid
import io.runledger.model.error.ErrorCode
import io.runledger.model.ledger.Scope
import io.runledger.model.operator.OperatorAction
import io.runledger.model.operator.OperatorActionKind
import io.runledger.model.operator.OperatorTarget
import io.runledger.model.operator.UndoneAction
import java.sql.Connection
import java.util.UUID

/** Undoes an action as an action of its own. Rows that are not as the action left them stay as they are. */
internal class UndoActions(private val context: LedgerContext, private val reads: ReadActions) {
    private val actions = RecordActions(context)
    private val jobs = UndoJobChanges(context)
    private val opposites = OppositeCalls(context)

    fun undo(scope: Scope, id: UUID, reason: String): UndoneAction {
        val why = Reason.required(reason)
        requireOperator()
        val action = reads.get(scope, id)
        requireUndoable(action)
        val owner = action.organizationId()?.let(Scope::organization)
        val draft = ActionDraft(OperatorActionKind.UNDO, OperatorTarget.action(id), why, owner, action.changed())
        val statement = jobs.statementFor(action.kind())
        return if (statement == null) opposite(scope, action, draft, why) else ofJobs(scope, action, draft, statement)
    }

    /** In many transactions; in the caller's transaction all of them are one part of it. */
    private fun ofJobs(scope: Scope, action: OperatorAction, draft: ActionDraft, statement: String): UndoneAction {
        val work = { actions.inBatches(draft, emptyMap()) { batches -> jobs.undo(scope, action, batches, statement, ::mark) } }
        return if (context.transactions.isJoined) context.transactions.run { work() } else work()
    }

    private fun opposite(scope: Scope, action: OperatorAction, draft: ActionDraft, reason: String): UndoneAction =
        context.transactions.run { connection ->
            actions.record(connection, draft) { act ->
                mark(connection, act, action.id())
                opposites.call(connection, scope, action, reason, act)
                val movedOn = 1 - act.changed
                act.details["moved_on"] = movedOn
                UndoneAction(checkNotNull(act.id), act.changed, movedOn)
            }
        }

    /** Refuses all but the first undo of an action. */
    private fun mark(connection: Connection, act: Act, id: UUID) {
        connection.row(
            context.statements["audit/action_mark_undone"],
            {
                uuid("undo_id", act.id)
                uuid("id", id)
            },
        ) { uuid("id") } ?: throw undone(id)
    }

    private fun requireOperator() {
        if (actions.isOn) return
        throw ErrorCode.INVALID_ARGUMENT.exception("An undo is recorded with its operator: call actingAs(name).audit.undo.")
    }

    private fun requireUndoable(action: OperatorAction) {
        val isUndoable = jobs.statementFor(action.kind()) != null || opposites.isKnown(action.kind())
        val problem = when {
            action.isUndone -> throw undone(action.id())
            !isUndoable -> "is ${action.kind().wire()}, which cannot be undone: correct its effects by hand."
            action.isFinished && action.changed() == 0L -> "changed nothing, so there is nothing to undo."
            else -> return
        }
        throw ErrorCode.ACTION_NOT_UNDOABLE.exception("Action ${action.id()} $problem")
    }

    private fun undone(id: UUID) = ErrorCode.ACTION_NOT_UNDOABLE.exception("Action $id is undone already.")
}

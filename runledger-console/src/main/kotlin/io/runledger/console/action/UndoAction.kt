package io.runledger.console.action

import io.runledger.console.access.ConsoleRole
import io.runledger.console.content.Section
import io.runledger.console.content.inWords
import io.runledger.console.content.of
import io.runledger.console.form.Action
import io.runledger.console.form.Order
import io.runledger.console.form.isUndoable
import io.runledger.console.form.runLong
import io.runledger.console.page.exactly
import io.runledger.console.page.facts
import io.runledger.console.page.mono
import io.runledger.console.visit.Visit
import io.runledger.model.operator.OperatorAction
import io.runledger.model.operator.OperatorActionKind
import kotlinx.html.FlowContent

/** Takes back what an earlier action has changed, where nothing has happened since. */
internal class UndoAction : Action<OperatorAction>("/audit/{id}/undo", "Undo the action", Section.AUDIT) {
    override fun find(visit: Visit): OperatorAction = visit.ledgers.writes.audit.get(visit.scope, visit.id())

    override fun address(subject: OperatorAction): String = path.replace("{id}", subject.id().toString())

    override fun home(subject: OperatorAction): String = "/audit/${subject.id()}"

    override fun title(subject: OperatorAction): String = "$label: ${subject.kind().wire()}"

    override fun roleFor(subject: OperatorAction): ConsoleRole =
        if (subject.kind() in OF_ADMINISTRATORS) ConsoleRole.ADMINISTRATOR else role

    override val isLong: Boolean get() = true

    override fun seen(subject: OperatorAction): String = if (subject.isUndone) "undone" else "not undone"

    override fun refusal(subject: OperatorAction): String? = when {
        subject.isUndone -> "The action was undone already."
        !subject.kind().isUndoable() -> "The ledger cannot undo this kind of action. Correct its effects by hand."
        subject.isFinished && subject.changed() == 0L -> "The action changed nothing, so there is nothing to undo."
        else -> null
    }

    override fun consequence(subject: OperatorAction): String {
        val rows = subject.changed().of("row")
        val stop = if (subject.isFinished) "" else " The action has not ended: it stops first."
        return "Takes back what this action did to $rows. Rows that have changed since are left as they are, and counted.$stop"
    }

    override fun preview(content: FlowContent, visit: Visit, subject: OperatorAction) = content.facts {
        fact("Action", subject.kind().wire())
        fact("By", subject.actor())
        fact("Reason", subject.reason())
        fact("Target") { mono(listOfNotNull(subject.target().kind().inWords(), subject.target().name()).joinToString(" ")) }
        fact("Begun") { exactly(subject.startedAt()) }
        fact("Changed", subject.changed().of("row"))
    }

    override fun act(order: Order<OperatorAction>): String? {
        val ledger = order.ledger
        order.runLong { ledger.audit.undo(order.scope, order.subject.id(), order.reason) }
        return null
    }

    private companion object {
        /** What only administrators do, and take back. */
        val OF_ADMINISTRATORS = setOf(
            OperatorActionKind.DEFINITION_PAUSE,
            OperatorActionKind.DEFINITION_RESUME,
            OperatorActionKind.LIMIT_CHANGE,
            OperatorActionKind.LIMIT_RESET,
            OperatorActionKind.QUEUE_PAUSE,
            OperatorActionKind.QUEUE_RESUME,
            OperatorActionKind.SHARE_WEIGH,
        )
    }
}

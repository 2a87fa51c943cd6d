package io.runledger.console.screen.audit

import io.runledger.console.page.ledgerText
import io.runledger.console.visit.Visit
import io.runledger.model.operator.AuditQuery
import io.runledger.model.operator.OperatorAction
import io.runledger.model.operator.OperatorActionKind
import io.runledger.model.operator.OperatorTarget
import kotlinx.html.FlowOrPhrasingContent
import kotlinx.html.a
import java.time.Instant
import java.util.UUID

/**
 * The latest recorded actions of operators on one row. The journals of runs and schedules have no column for the operator, so
 * what they tell is brought together with the audit.
 */
internal class Operators(val actions: List<OperatorAction>, private val undoing: List<OperatorAction> = emptyList()) {
    /**
     * The action of one of [kinds], or the undo, that changed the row at [at]; null if it was not recorded. An action holds
     * the lock on its row from the change to the end of its record. Of those that were under way at [at], it is therefore the
     * one that ended first, and it ended before the [next] change of the row: an action that ended later has waited for the
     * lock.
     */
    fun actionAt(at: Instant, next: Instant?, vararg kinds: OperatorActionKind): OperatorAction? =
        (actions.filter { it.kind() in kinds && it.changed() > 0 } + undoing)
            .filter { !it.startedAt().isAfter(at) && it.finishedAt()?.isBefore(at) == false }
            .minByOrNull { checkNotNull(it.finishedAt()) }
            ?.takeIf { next == null || next.isAfter(it.finishedAt()) }

    companion object {
        fun ofRun(visit: Visit, id: UUID): Operators = of(visit, OperatorTarget.run(id))

        fun ofStep(visit: Visit, run: UUID, step: String): Operators = of(visit, OperatorTarget.step(run, step))

        fun ofSchedule(visit: Visit, name: String): Operators = of(visit, OperatorTarget.schedule(name))

        private fun of(visit: Visit, target: OperatorTarget): Operators = visit.snapshot("operators of $target") {
            val audit = visit.reads.audit
            val actions = audit.list(visit.scope, AuditQuery.builder().target(target).limit(LATEST).build()).items()
            val undone = actions.mapNotNull { it.undoneBy() }.distinct().take(MOST_UNDONE)
            Operators(actions, undone.mapNotNull { audit.find(visit.scope, it) })
        }

        private const val LATEST = 200
        private const val MOST_UNDONE = 10
    }
}

/** ` by ada`, with a link to the record of the action. Nothing without an action. */
internal fun FlowOrPhrasingContent.byOperator(visit: Visit, action: OperatorAction?) {
    if (action == null) return
    +" by "
    a(href = visit.link(auditPath(action.id()))) { ledgerText(action.actor(), "actor") }
}

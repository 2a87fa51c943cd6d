package io.runledger.exposed

import io.runledger.exposed.audit.ReadActions
import io.runledger.exposed.audit.UndoActions
import io.runledger.exposed.context.LedgerContext
import io.runledger.model.ledger.Page
import io.runledger.model.ledger.Scope
import io.runledger.model.operator.AuditQuery
import io.runledger.model.operator.OperatorAction
import io.runledger.model.operator.UndoneAction
import java.util.UUID
import java.util.function.Consumer

/**
 * The actions of operators, recorded by a ledger that [Ledger.actingAs] returned. Actions on rows of one organization belong to
 * it. Actions on global rows, on workers and on job types are global, and so are actions in a scope of all organizations that
 * name no single row.
 */
public class Audit internal constructor(context: LedgerContext) {
    private val reads = ReadActions(context)
    private val undos = UndoActions(context, reads)

    /**
     * A page of the actions that match [query], newest first. To read the next page, pass [Page.next] to [AuditQuery.after].
     * Refused with `job.invalid_pagination` for a cursor of another list.
     */
    @JvmOverloads
    public fun list(scope: Scope, query: AuditQuery = AuditQuery.all()): Page<OperatorAction> = reads.list(scope, query)

    /** [list] with a query that [query] builds: `audit.list(scope) { it.actor("dana") }`. */
    public fun list(scope: Scope, query: Consumer<AuditQuery.Builder>): Page<OperatorAction> =
        list(scope, AuditQuery.builder().also(query::accept).build())

    /** The action, or null if there is none in [scope]. */
    public fun find(scope: Scope, id: UUID): OperatorAction? = reads.find(scope, id)

    /** The action. Refused with `operator.action_not_found` if there is none in [scope]. */
    public fun get(scope: Scope, id: UUID): OperatorAction = reads.get(scope, id)

    /**
     * Undoes the action [id]: requeues the jobs that it canceled before they had started, gives jobs and steps the time, the
     * priority or the payload that they had before, reverses a pause or a resume of a run, a schedule, a job type or a queue, or
     * gives a limit, a queue or a share the values that it had before. Only rows that are as the action left them are changed;
     * the result counts the others as moved on. Jobs get their due time back, and a job that is due starts.
     *
     * The undo is an action too, so call it on a ledger that [Ledger.actingAs] returned. It works in short transactions; in a
     * joined transaction, all changes are part of that transaction. An action that is still running stops with
     * `operator.action_undone`. If the undo fails partway, the restored rows stay restored and it cannot be repeated.
     *
     * Refused with `operator.action_not_found`, with `operator.action_not_undoable` for other actions, for an action that changed
     * nothing and for one that was undone before, and with `request.invalid` without an actor.
     */
    public fun undo(scope: Scope, id: UUID, reason: String): UndoneAction = undos.undo(scope, id, reason)
}

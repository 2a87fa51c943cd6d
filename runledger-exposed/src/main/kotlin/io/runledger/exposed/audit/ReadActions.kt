package io.runledger.exposed.audit

import io.runledger.exposed.context.Cursor
import io.runledger.exposed.context.LedgerContext
import io.runledger.exposed.context.page
import io.runledger.exposed.read.Filter
import io.runledger.exposed.read.createdFilter
import io.runledger.exposed.read.cursorFilter
import io.runledger.exposed.read.narrowed
import io.runledger.exposed.sql.exception
import io.runledger.exposed.sql.row
import io.runledger.exposed.sql.rows
import io.runledger.exposed.sql.scope
import io.runledger.exposed.sql.scoped
import io.runledger.model.error.ErrorCode
import io.runledger.model.ledger.Page
import io.runledger.model.ledger.Scope
import io.runledger.model.operator.AuditQuery
import io.runledger.model.operator.OperatorAction
import io.runledger.model.operator.OperatorTarget
import io.runledger.model.operator.OperatorTargetKind
import io.runledger.model.text.Text
import java.util.UUID

/** Reads recorded actions. A page begins after the last id of the previous one, so all pages cost the same. */
internal class ReadActions(private val context: LedgerContext) {
    fun find(scope: Scope, id: UUID): OperatorAction? = context.transactions.statement { connection ->
        connection.row(
            context.statements.scoped("audit/action_by_id", scope),
            {
                uuid("id", id)
                scope(scope)
            },
        ) { operatorAction() }
    }

    fun get(scope: Scope, id: UUID): OperatorAction = find(scope, id) ?: throw ErrorCode.ACTION_NOT_FOUND.exception(
        "There is no action $id in this scope: check the id and the organization of the scope.",
    )

    fun list(scope: Scope, query: AuditQuery): Page<OperatorAction> {
        val job = query.target()?.jobId()
        val statement = if (job == null) {
            context.statements.scoped("audit/action_list", scope)
        } else {
            context.statements.scoped("audit/action_list_of_job", scope)
        }
        val filters = filters(query, isOfJob = job != null)
        return context.transactions.statement { connection ->
            connection.rows(
                statement.narrowed(filters),
                {
                    scope(scope)
                    if (job != null) uuid("job_id", job)
                    filters.forEach { it.bind(this) }
                    int("limit", query.limit() + 1)
                },
            ) { operatorAction() }
        }.page(query.limit()) { Cursor.after(it.id()) }
    }

    private fun filters(query: AuditQuery, isOfJob: Boolean): List<Filter> = buildList {
        query.actor()?.let { actor -> add(Filter("a.actor = :actor") { text("actor", Text.storable(actor)) }) }
        val kinds = query.kinds().sorted()
        if (kinds.isNotEmpty()) add(Filter("a.action = ANY (:kinds::text[])") { wires("kinds", kinds) })
        if (!isOfJob) query.target()?.let { addAll(filters(it)) }
        addAll(createdFilter("a", query.startedSince(), query.startedBefore(), column = "started_at"))
        if (query.unfinished()) add(Filter("a.finished_at IS NULL"))
        addAll(cursorFilter("a", query.cursor()))
    }

    private fun filters(target: OperatorTarget): List<Filter> = listOfNotNull(
        Filter("a.target_kind = :target_kind") { text("target_kind", target.kind().wire()) },
        target.name()?.let { name -> Filter("a.target = :target") { text("target", Text.storable(name)) } },
        target.stepKey()?.let { key -> Filter("a.step_key = :step_key") { text("step_key", Text.storable(key)) } },
    )

    /** The job that the target names, if it does. */
    private fun OperatorTarget.jobId(): UUID? = if (kind() != OperatorTargetKind.JOB) {
        null
    } else {
        try {
            name()?.let(UUID::fromString)
        } catch (_: IllegalArgumentException) {
            null
        }
    }
}

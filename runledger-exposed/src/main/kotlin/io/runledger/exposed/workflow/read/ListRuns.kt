package io.runledger.exposed.workflow.read

import io.runledger.exposed.context.Cursor
import io.runledger.exposed.context.LedgerContext
import io.runledger.exposed.context.page
import io.runledger.exposed.read.Filter
import io.runledger.exposed.read.createdFilter
import io.runledger.exposed.read.cursorFilter
import io.runledger.exposed.read.namesFilter
import io.runledger.exposed.read.narrowed
import io.runledger.exposed.read.statusFilter
import io.runledger.exposed.sql.row
import io.runledger.exposed.sql.rows
import io.runledger.exposed.sql.scope
import io.runledger.exposed.sql.scoped
import io.runledger.model.ledger.Page
import io.runledger.model.ledger.Scope
import io.runledger.model.run.WorkflowQuery
import io.runledger.model.run.WorkflowSummary
import io.runledger.model.workflow.WorkflowRunStatus

/** Lists and counts runs, newest first. A page begins below the last id of the previous page, so all pages cost the same. */
internal class ListRuns(private val context: LedgerContext) {
    fun list(scope: Scope, query: WorkflowQuery): Page<WorkflowSummary> {
        val filters = filters(query) + cursorFilter("r", query.cursor())
        val found = context.transactions.statement { connection ->
            connection.rows(
                context.statements.scoped("workflow/run_list", scope).narrowed(filters),
                {
                    scope(scope)
                    filters.forEach { it.bind(this) }
                    int("limit", query.limit() + 1)
                },
            ) { workflowSummary() }
        }
        return found.page(query.limit()) { Cursor.after(it.id()) }
    }

    fun count(scope: Scope, query: WorkflowQuery): Long {
        val filters = filters(query)
        val count = context.transactions.statement { connection ->
            connection.row(
                context.statements.scoped("workflow/run_count", scope).narrowed(filters),
                {
                    scope(scope)
                    filters.forEach { it.bind(this) }
                },
            ) { getLong("runs") }
        }
        return checkNotNull(count)
    }

    private fun filters(query: WorkflowQuery): List<Filter> = buildList {
        addAll(statusFilter("r", query.statuses()))
        when (query.paused()) {
            // Only live runs can be paused, and an index covers the live runs.
            true -> addAll(statusFilter("r", live) + Filter("r.paused_at IS NOT NULL"))

            false -> add(Filter("r.paused_at IS NULL"))

            null -> Unit
        }
        addAll(namesFilter("r.workflow_type", query.workflowTypes()))
        query.typePrefix()?.let { add(Filter("starts_with(r.workflow_type, :type_prefix)") { text("type_prefix", it) }) }
        query.metadata()?.let { add(Filter("r.metadata @> :metadata::jsonb") { json("metadata", it) }) }
        addAll(createdFilter("r", query.createdSince(), query.createdBefore()))
    }

    private companion object {
        val live = WorkflowRunStatus.entries.filterNot { it.isTerminal }.toSet()
    }
}

package io.runledger.exposed.read

import io.runledger.exposed.context.Cursor
import io.runledger.exposed.context.LedgerContext
import io.runledger.exposed.context.page
import io.runledger.exposed.sql.rows
import io.runledger.exposed.sql.scope
import io.runledger.exposed.sql.scoped
import io.runledger.model.job.JobQuery
import io.runledger.model.job.JobStatus
import io.runledger.model.job.JobSummary
import io.runledger.model.ledger.Page
import io.runledger.model.ledger.Scope

/** Lists jobs page by page. A page begins after the last job of the previous one, so all pages cost the same. */
internal class ListJobs(private val context: LedgerContext) {
    private val searches = SearchJobs(context)

    fun list(scope: Scope, query: JobQuery): Page<JobSummary> {
        if (query.maxRead() != null || query.order() == JobQuery.Order.CLAIM) return searches.list(scope, query)
        val filters = filters(query)
        val code = query.errorCode()
        val statement = context.statements.scoped(if (code == null) "read/job_list" else "read/job_list_failed", scope)
        val arms = if (code == null) arms(scope, query.statuses()) else armsOfFailed(query.statuses())
        // One more row than requested shows whether there is a next page.
        val rows = query.limit() + 1
        val found = context.transactions.statement { connection ->
            connection.rows(
                arms.map { statement.narrowed(it + filters) }.together(),
                {
                    scope(scope)
                    if (code != null) text("error_code", code)
                    filters.forEach { it.bind(this) }
                    int("limit", rows)
                },
            ) { jobSummary() }
        }
        return found.page(query.limit()) { Cursor.after(it.id()) }
    }

    /** The index of an organization's jobs is ordered by id within a status, so a page unites the newest of each status. */
    private fun arms(scope: Scope, statuses: Set<JobStatus>): List<List<Filter>> = if (scope.kind() == Scope.Kind.ORGANIZATION) {
        statuses.ifEmpty { JobStatus.entries.toSet() }.sorted().map { statusFilter("q", setOf(it)) }
    } else {
        listOf(statusFilter("q", statuses))
    }

    /** The index of failed jobs is ordered by id within a code and a status. A success clears the code. */
    private fun armsOfFailed(statuses: Set<JobStatus>): List<List<Filter>> =
        statuses.ifEmpty { JobStatus.entries.toSet() - JobStatus.SUCCEEDED }.sorted().map { listOf(statusRangeFilter("q", it)) }

    private fun List<String>.together(): String =
        singleOrNull() ?: joinToString(" UNION ALL ", postfix = " ORDER BY id DESC LIMIT :limit") { "($it)" }

    private fun filters(query: JobQuery): List<Filter> = buildList {
        addAll(namesFilter("q.job_type", query.jobTypes()))
        query.idempotencyKey()?.let { key ->
            add(Filter("q.idempotency_key = :idempotency_key") { text("idempotency_key", key) })
        }
        query.payload()?.let { add(Filter("q.payload @> :payload::jsonb") { json("payload", it) }) }
        addAll(createdFilter("q", query.createdSince(), query.createdBefore()))
        addAll(cursorFilter("q", query.cursor()))
    }
}

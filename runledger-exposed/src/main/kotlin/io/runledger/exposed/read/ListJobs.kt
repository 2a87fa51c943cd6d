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
        if (isSearch(query)) return searches.list(scope, query)
        val filters = filters(query)
        val arms = arms(scope, query)
        // One more row than requested shows whether there is a next page.
        val rows = query.limit() + 1
        val found = context.transactions.statement { connection ->
            connection.rows(
                arms.map { context.statements.scoped(it.statement, scope).narrowed(it.filters + filters) }.together(),
                {
                    scope(scope)
                    query.errorCode()?.let { text("error_code", it) }
                    query.queue()?.let { text("queue", it) }
                    filters.forEach { it.bind(this) }
                    int("limit", rows)
                },
            ) { jobSummary() }
        }
        return found.page(query.limit()) { Cursor.after(it.id()) }
    }

    /** A key has an index of its own, and few jobs. */
    private fun isSearch(query: JobQuery): Boolean =
        query.order() == JobQuery.Order.CLAIM || (query.maxRead() != null && query.idempotencyKey() == null)

    /** A part of the page: what [statement] finds with [filters]. */
    private class Arm(val statement: String, val filters: List<Filter>)

    private fun arms(scope: Scope, query: JobQuery): List<Arm> {
        val statuses = query.statuses()
        val ofQueue = listOfNotNull(query.queue()?.let { Filter("q.queue = :queue") })
        return when {
            query.errorCode() != null -> armsOfFailed(statuses, ofQueue)
            query.queue() != null -> armsOfQueue(statuses.ifEmpty { JobStatus.entries.toSet() }, ofQueue)
            scope.kind() == Scope.Kind.ORGANIZATION -> armsOfOrganization(statuses)
            else -> listOf(Arm(LIST, statusFilter("q", statuses)))
        }
    }

    /** The index of an organization's jobs is ordered by id within a status, so a page unites the newest of each status. */
    private fun armsOfOrganization(statuses: Set<JobStatus>): List<Arm> =
        statuses.ifEmpty { JobStatus.entries.toSet() }.sorted().map { Arm(LIST, statusFilter("q", setOf(it))) }

    /** The index of failed jobs is ordered by id within a code and a status. A success clears the code. */
    private fun armsOfFailed(statuses: Set<JobStatus>, more: List<Filter>): List<Arm> =
        statuses.ifEmpty { JobStatus.entries.toSet() - JobStatus.SUCCEEDED }.sorted()
            .map { Arm("read/job_list_failed", listOf(statusRangeFilter("q", it)) + more) }

    /** The index of queues is ordered by id within a status, and has no ended jobs. */
    private fun armsOfQueue(statuses: Set<JobStatus>, more: List<Filter>): List<Arm> = statuses.sorted().map { status ->
        if (status.isTerminal) {
            Arm(LIST, statusFilter("q", setOf(status)) + more)
        } else {
            Arm("read/job_list_queue", listOf(statusRangeFilter("q", status)))
        }
    }

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

    private companion object {
        const val LIST = "read/job_list"
    }
}

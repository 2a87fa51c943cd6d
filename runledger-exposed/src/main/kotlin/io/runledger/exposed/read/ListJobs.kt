package io.runledger.exposed.read

import io.runledger.exposed.LedgerContext
import io.runledger.exposed.sql.rows
import io.runledger.exposed.sql.scope
import io.runledger.exposed.sql.scoped
import io.runledger.model.spec.JobQuery
import io.runledger.model.state.JobStatus
import io.runledger.model.state.JobSummary
import io.runledger.model.state.Page
import io.runledger.model.state.Scope

/** Lists jobs page by page, newest first. A page begins below the last id of the one before: none costs more than the first. */
internal class ListJobs(private val context: LedgerContext) {
    fun list(scope: Scope, query: JobQuery): Page<JobSummary> {
        val filters = filters(query)
        val arms = arms(scope, query.statuses())
        // One more than asked for: whether it comes is whether there is a next page.
        val rows = query.limit() + 1
        val found = context.transactions.statement { connection ->
            connection.rows(
                arms.map { context.statements.scoped("job_list", scope).narrowed(it + filters) }.together(),
                {
                    repeat(arms.size) {
                        scope(scope)
                        filters.forEach { it.bind(this) }
                        int(rows)
                    }
                    if (arms.size > 1) int(rows)
                },
            ) { jobSummary() }
        }
        return found.page(query.limit()) { Cursor.after(it.id()) }
    }

    /** The index of an organization's jobs is in order within a status: a page is the newest of each status, put together. */
    private fun arms(scope: Scope, statuses: Set<JobStatus>): List<List<Filter>> = if (scope.kind() == Scope.Kind.ORGANIZATION) {
        statuses.ifEmpty { JobStatus.entries.toSet() }.sorted().map { statusFilter("q", setOf(it)) }
    } else {
        listOf(statusFilter("q", statuses))
    }

    private fun List<String>.together(): String =
        singleOrNull() ?: joinToString(" UNION ALL ", postfix = " ORDER BY id DESC LIMIT ?") { "($it)" }

    private fun filters(query: JobQuery): List<Filter> = buildList {
        addAll(namesFilter("q.job_type", query.jobTypes()))
        query.payload()?.let { add(Filter("q.payload @> ?::jsonb") { json(it) }) }
        addAll(createdFilter("q", query.createdSince(), query.createdBefore()))
        addAll(cursorFilter("q", query.cursor()))
    }
}

/** The first [limit] of what was found, and a cursor when more was. */
internal fun <T : Any> List<T>.page(limit: Int, cursor: (T) -> String): Page<T> =
    take(limit).let { items -> Page(items, if (size > limit) cursor(items.last()) else null) }

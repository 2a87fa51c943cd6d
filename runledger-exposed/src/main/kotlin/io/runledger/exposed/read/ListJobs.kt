package io.runledger.exposed.read

import io.runledger.exposed.LedgerContext
import io.runledger.exposed.sql.rows
import io.runledger.exposed.sql.scope
import io.runledger.exposed.sql.scoped
import io.runledger.model.spec.JobQuery
import io.runledger.model.state.JobSummary
import io.runledger.model.state.Page
import io.runledger.model.state.Scope

/** Lists jobs page by page, newest first. A page begins below the last id of the one before: none costs more than the first. */
internal class ListJobs(private val context: LedgerContext) {
    fun list(scope: Scope, query: JobQuery): Page<JobSummary> {
        val filters = filters(query)
        val found = context.transactions.statement { connection ->
            connection.rows(
                context.statements.scoped("job_list", scope).narrowed(filters),
                {
                    scope(scope)
                    filters.forEach { it.bind(this) }
                    // One more than asked for: whether it comes is whether there is a next page.
                    int(query.limit() + 1)
                },
            ) { jobSummary() }
        }
        return found.page(query.limit()) { Cursor.after(it.id()) }
    }

    private fun filters(query: JobQuery): List<Filter> = buildList {
        addAll(statusFilter("q", query.statuses()))
        addAll(namesFilter("q.job_type", query.jobTypes()))
        query.payload()?.let { add(Filter("q.payload @> ?::jsonb") { json(it) }) }
        addAll(createdFilter("q", query.createdSince(), query.createdBefore()))
        addAll(cursorFilter("q", query.cursor()))
    }
}

/** The first [limit] of what was found, and a cursor when more was. */
internal fun <T : Any> List<T>.page(limit: Int, cursor: (T) -> String): Page<T> =
    take(limit).let { items -> Page(items, if (size > limit) cursor(items.last()) else null) }

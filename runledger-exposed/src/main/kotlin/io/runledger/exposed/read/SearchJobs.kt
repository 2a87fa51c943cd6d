package io.runledger.exposed.read

import io.runledger.exposed.context.LedgerContext
import io.runledger.exposed.sql.inScope
import io.runledger.exposed.sql.instant
import io.runledger.exposed.sql.rows
import io.runledger.exposed.sql.scope
import io.runledger.exposed.sql.uuidOrNull
import io.runledger.model.job.JobQuery
import io.runledger.model.job.JobSummary
import io.runledger.model.ledger.Page
import io.runledger.model.ledger.Scope
import java.sql.ResultSet
import java.util.UUID

/**
 * Lists the jobs among a limited number of candidates, which an index has in the order of the list. The conditions that the index
 * does not decide are applied to the candidates, so a page costs the same however many jobs do not match.
 */
internal class SearchJobs(private val context: LedgerContext) {
    fun list(scope: Scope, query: JobQuery): Page<JobSummary> {
        val most = query.maxRead()
        if (most != null) return search(scope, query, query.limit(), most)
        var page = search(scope, query, query.limit(), BITE)
        while (page.hasNext() && page.items().size < query.limit()) {
            val rest = search(scope, query.after(page.next()), query.limit() - page.items().size, BITE)
            page = Page(page.items() + rest.items(), rest.next())
        }
        return page
    }

    /** Of several ways, the one that comes furthest: the page of each is complete up to where it ends. */
    private fun search(scope: Scope, query: JobQuery, limit: Int, most: Int): Page<JobSummary> {
        val stopped = ArrayList<Found>()
        SearchWay.of(scope, query).forEach { way ->
            val found = search(scope, way, limit, most)
            if (found.stop == null) return found.page
            stopped += found
        }
        return stopped.minBy { it.stop.toString() }.page
    }

    private fun search(scope: Scope, way: SearchWay, limit: Int, most: Int): Found {
        // Without other conditions each candidate matches, and one more than requested shows whether there is a next page.
        val candidates = if (way.filters.isEmpty()) limit + 1 else most
        val rows = context.transactions.statement { connection ->
            connection.rows(
                statement(way).narrowed(way.filters).inScope(scope),
                {
                    scope(scope)
                    way.bind(this)
                    way.filters.forEach { it.bind(this) }
                    int("limit", limit + 1)
                    int("most", candidates)
                },
            ) { Row(this) }
        }
        val jobs = rows.mapNotNull { it.job }
        if (jobs.size > limit) return Found(Page(jobs.take(limit), way.order.cursor(jobs[limit - 1])), null)
        val stop = rows.first().stop
        return Found(Page(jobs, stop?.let(way.order::cursor)), stop?.id)
    }

    private fun statement(way: SearchWay): String {
        val order = way.order
        val arms = way.ranges.map { range ->
            context.statements[order.candidates].replace("{range}", range).replace("{order}", way.rangeOrder)
        }
        val candidates =
            arms.singleOrNull()
                ?: arms.joinToString(" UNION ALL ", postfix = " ORDER BY ${order.ofCandidates} LIMIT :most") { "($it)" }
        return context.statements["read/job_search"].replace("{candidates}", candidates).replace("{order}", order.ofJobs)
    }

    /** A page, and the candidate at which the search stopped: null if the page is full, or if there are no more candidates. */
    private class Found(val page: Page<JobSummary>, val stop: UUID?)

    private class Row(row: ResultSet) {
        val job: JobSummary? = if (row.getString("job_type") == null) null else row.jobSummary()
        val stop: SearchPlace? = row.uuidOrNull("stop_id")?.let {
            SearchPlace(it, row.getInt("stop_priority"), row.instant("stop_next_run_at"))
        }
    }

    private companion object {
        /** The candidates of one statement, if the query does not limit them. */
        const val BITE = 10_000
    }
}

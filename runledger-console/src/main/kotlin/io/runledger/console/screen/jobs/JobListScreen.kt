package io.runledger.console.screen.jobs

import io.runledger.console.action.jobListActions
import io.runledger.console.content.Page
import io.runledger.console.content.Section
import io.runledger.console.content.Topic
import io.runledger.console.content.shownText
import io.runledger.console.page.live
import io.runledger.console.page.pager
import io.runledger.console.visit.Answer
import io.runledger.console.visit.Routes
import io.runledger.console.visit.Screen
import io.runledger.console.visit.Show
import io.runledger.console.visit.Visit
import io.runledger.model.job.JobSummary
import kotlinx.html.p
import java.time.Instant
import io.runledger.model.ledger.Page as Rows

/** The list of jobs with its filters. All filters are in the address, so that a list can be sent to a colleague. */
internal class JobListScreen : Screen {
    override fun register(routes: Routes) {
        routes.get("/jobs", answer = ::jobs)
    }

    private class Found(val jobs: Rows<JobSummary>, val isFirst: Boolean, val looser: List<Pair<JobFilter, String>>)

    private fun jobs(visit: Visit): Answer {
        val filters = JobFilters.of(visit)
        val found = if (filters.problems.isEmpty()) found(visit, filters) else null
        val page = Page("Jobs", Section.JOBS, if (found == null) null else Topic.Ledger) {
            searchBox(visit)
            filterForm(visit, filters, knownTypes(visit))
            if (found == null) {
                p("problem") { +"A filter is not valid: the field says what to change. No job was read." }
            } else {
                live("jobs", visit) {
                    chips(visit, filters)
                    searchedTime(filters)
                    order(filters)
                    val isStopped = found.jobs.hasNext() && found.jobs.items().size < PAGE
                    if (found.jobs.items().isNotEmpty()) {
                        jobListActions(visit)
                        jobTable(visit, found.jobs.items(), filters, Instant.now())
                    } else if (!isStopped) {
                        nothingMatches(visit, filters, found.looser)
                    }
                    if (isStopped) stopped(found.jobs.items().size, found.isFirst)
                    pager(visit, found.jobs, next = if (isStopped) "Search on" else "Next page")
                }
            }
        }
        return Show(page, if (found == null) INVALID else OK)
    }

    private fun found(visit: Visit, filters: JobFilters): Found {
        val query = filters.query(PAGE, visit.query["after"])
        return visit.snapshot("jobs ${filters.scope} $query") {
            val jobs = visit.reads.jobs.list(filters.scope, query)
            val isFirst = query.cursor() == null
            Found(
                jobs,
                isFirst,
                if (jobs.items().isEmpty() && !jobs.hasNext() &&
                    isFirst
                ) {
                    looser(visit, filters)
                } else {
                    emptyList()
                },
            )
        }
    }

    /** The filters without which at least one job matches. */
    private fun looser(visit: Visit, filters: JobFilters): List<Pair<JobFilter, String>> = filters.chosen.take(MOST_TRIED)
        .filter { (filter, value) ->
            val others = filters.without(filter, value)
            others.problems.isEmpty() && visit.reads.jobs.list(others.scope, others.query(1, null)).items().isNotEmpty()
        }

    /** The types that the form suggests: those whose names can be seen as they are. */
    private fun knownTypes(visit: Visit): List<String> = visit.snapshot("known types") {
        visit.reads.definitions.list().map { it.jobType() }.filter { it == shownText(it) }.take(MOST_TYPES)
    }

    private companion object {
        const val PAGE = 50
        const val MOST_TRIED = 10
        const val MOST_TYPES = 500
        const val OK = 200
        const val INVALID = 400
    }
}

package io.runledger.console.screen.jobs

import io.runledger.console.content.grouped
import io.runledger.console.content.inUtc
import io.runledger.console.content.inWords
import io.runledger.console.page.ledgerText
import io.runledger.console.visit.Visit
import io.runledger.model.job.JobStatus
import kotlinx.html.FlowContent
import kotlinx.html.a
import kotlinx.html.li
import kotlinx.html.p
import kotlinx.html.span
import kotlinx.html.ul

/** The filters that are set, each with a link that removes it. */
internal fun FlowContent.chips(visit: Visit, filters: JobFilters) {
    if (filters.chosen.isEmpty()) return
    ul("chips") {
        attributes["aria-label"] = "Filters that are set"
        filters.chosen.forEach { (filter, value) ->
            li {
                a(href = visit.link("/jobs", *filters.without(filter, value).parameters().toTypedArray())) {
                    span("unseen") { +"Remove the filter " }
                    +"${filter.label}: "
                    ledgerText(shown(filter, value))
                    span("remove") {
                        attributes["aria-hidden"] = "true"
                        +"×"
                    }
                }
            }
        }
        if (filters.chosen.size > 1) li { a(href = visit.link("/jobs"), classes = "all") { +"Remove all" } }
    }
}

/** Says that filters without an index search a limited time. */
internal fun FlowContent.searchedTime(filters: JobFilters) {
    val since = filters.assumedSince ?: return
    p("note") {
        +"These filters read jobs one by one, so only jobs created since ${since.inUtc()} are searched. "
        +"Set “${JobFilter.SINCE.label}” to search a longer time."
    }
}

/** Says in which order waiting jobs of a type are listed. */
internal fun FlowContent.order(filters: JobFilters) {
    if (!filters.isInOrderOfClaims) return
    p("note") {
        +"In the order in which workers take them: the highest priority first, then the earliest due time. Jobs that are not due "
        +"yet and jobs of paused runs are passed over."
    }
}

/** Says that the list ends here because enough jobs were read, not because there are no others. */
internal fun FlowContent.stopped(found: Int, isFirst: Boolean) = p("note") {
    +"The ${if (isFirst) "first" else "next"} ${JobFilters.MOST_READ.toLong().grouped()} jobs of each state were searched, and "
    +(
        if (found == 0) {
            "none matches"
        } else if (found == 1) {
            "1 matches"
        } else {
            "$found match"
        }
        )
    +". Others may match: search on, or choose further filters."
}

/** Says why the list is empty, and which filter to remove. */
internal fun FlowContent.nothingMatches(visit: Visit, filters: JobFilters, looser: List<Pair<JobFilter, String>>) {
    if (filters.chosen.isEmpty()) {
        p("empty") { +"There are no jobs." }
        return
    }
    p("empty") {
        val chosen = filters.chosen.size
        +if (chosen == 1) "No job matches the filter." else "No job matches all $chosen filters."
    }
    looser.forEach { (filter, value) ->
        p {
            +"There are jobs without "
            a(href = visit.link("/jobs", *filters.without(filter, value).parameters().toTypedArray())) {
                +"${filter.label}: "
                ledgerText(shown(filter, value))
            }
            +"."
        }
    }
    if (looser.isEmpty() && filters.chosen.size > 1) {
        p {
            +"Removing one of them is not enough. "
            a(href = visit.link("/jobs")) { +"Remove all" }
        }
    }
}

private fun shown(filter: JobFilter, value: String): String {
    val status = if (filter == JobFilter.STATUS) JobStatus.entries.find { it.name == value.uppercase() } else null
    return status?.inWords() ?: if (value.length > LONGEST) value.take(LONGEST) + "…" else value
}

private const val LONGEST = 60

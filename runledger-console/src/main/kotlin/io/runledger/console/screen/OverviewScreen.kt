package io.runledger.console.screen

import io.runledger.console.content.Page
import io.runledger.console.content.Section
import io.runledger.console.content.Topic
import io.runledger.console.content.grouped
import io.runledger.console.page.live
import io.runledger.console.visit.Routes
import io.runledger.console.visit.Screen
import io.runledger.console.visit.Visit
import io.runledger.model.job.JobStatus
import kotlinx.html.a
import kotlinx.html.div
import kotlinx.html.h2
import kotlinx.html.li
import kotlinx.html.p
import kotlinx.html.section
import kotlinx.html.span
import kotlinx.html.ul

/** Whether all is well, in sentences, and the load of the ledger. */
internal class OverviewScreen : Screen {
    override fun register(routes: Routes) {
        routes.page("/", page = ::overview)
    }

    private fun overview(visit: Visit): Page {
        val counts = visit.snapshot("job counts") { visit.reads.jobs.counts(visit.scope) }
        val concerns = visit.snapshot("concerns") { visit.reads.health().concerns() }
        return Page("Overview", Section.OVERVIEW, Topic.Ledger) {
            live("health", visit) {
                section {
                    h2 { +"Health" }
                    if (concerns.isEmpty()) p("good") { +"All is well." } else ul("concerns") { concerns.forEach { li { +it } } }
                }
            }
            live("load", visit) {
                div("tiles") {
                    listOf(JobStatus.PENDING, JobStatus.LEASED, JobStatus.DEAD_LETTERED).forEach { status ->
                        a(href = visit.link("/jobs", "status" to status.name), classes = "tile") {
                            span("figure") { +(counts[status] ?: 0).grouped() }
                            span("label") { +status.name.lowercase().replace('_', ' ') }
                        }
                    }
                }
            }
        }
    }
}

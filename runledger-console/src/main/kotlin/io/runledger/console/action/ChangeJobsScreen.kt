package io.runledger.console.action

import io.runledger.console.access.ConsoleRole
import io.runledger.console.content.Page
import io.runledger.console.content.Section
import io.runledger.console.content.Topic
import io.runledger.console.content.shownText
import io.runledger.console.form.Recorded
import io.runledger.console.form.actionLink
import io.runledger.console.page.facts
import io.runledger.console.page.live
import io.runledger.console.visit.Answer
import io.runledger.console.visit.GoTo
import io.runledger.console.visit.NoSuchPageException
import io.runledger.console.visit.Routes
import io.runledger.console.visit.Screen
import io.runledger.console.visit.Show
import io.runledger.console.visit.Visit
import io.runledger.model.job.JobStatus
import kotlinx.html.a
import kotlinx.html.div
import kotlinx.html.h2
import kotlinx.html.p
import kotlinx.html.section

/** What can be done with the jobs of a list, and the page of a change that has been started but not yet recorded. */
internal class ChangeJobsScreen(private val actions: List<SelectionAction>) : Screen {
    override fun register(routes: Routes) {
        routes.page("/jobs/change", ConsoleRole.OPERATOR, ::choices)
        routes.get("/changes/{key}", ConsoleRole.OPERATOR, ::started)
    }

    private fun choices(visit: Visit): Page {
        val query = SelectionQuery.of(visit.query)
        val possible = actions.filter { it.fits(query) }
        val selected = Selected.of(visit, query, possible.flatMapTo(HashSet()) { it.statuses })
        return Page("Change many jobs", Section.JOBS) {
            section {
                h2 { +"The selection" }
                facts {
                    fact("Selection", query.inWords())
                    JobStatus.entries.mapNotNull { selected.inWords(it) }.forEach { fact("Can be changed", it) }
                }
                if (possible.isEmpty()) p("empty") { +"Jobs with this status cannot be changed together." }
            }
            div("actions") {
                possible.forEach { actionLink(visit, selected, it) }
                a(href = visit.link(query.address("/jobs")), classes = "button") { +"Back, without a change" }
            }
        }
    }

    private fun started(visit: Visit): Answer {
        val key = visit.part("key")
        Recorded.byKey(visit, key)?.let { return GoTo("/audit/${it.id()}") }
        if (!visit.ledgers.longActions.isRunning(key)) throw NoSuchPageException(visit.request.path)
        return Show(
            Page("The change has been started", Section.AUDIT, Topic.Ledger) {
                live("started", visit) {
                    p { +shownText("Its record appears with the first jobs that it changes. Load this page again to see it.") }
                    p { a(href = visit.linkHere(), classes = "button") { +"Load again" } }
                }
            },
        )
    }
}

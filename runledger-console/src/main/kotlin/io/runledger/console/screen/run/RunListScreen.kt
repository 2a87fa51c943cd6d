package io.runledger.console.screen.run

import io.runledger.console.content.Page
import io.runledger.console.content.Section
import io.runledger.console.content.Topic
import io.runledger.console.page.filterForm
import io.runledger.console.page.live
import io.runledger.console.page.pager
import io.runledger.console.visit.Answer
import io.runledger.console.visit.Routes
import io.runledger.console.visit.Screen
import io.runledger.console.visit.Show
import io.runledger.console.visit.Visit
import io.runledger.model.workflow.WorkflowRunStatus
import kotlinx.html.FlowContent
import kotlinx.html.p

/** The list of workflow runs with its filters. */
internal class RunListScreen : Screen {
    override fun register(routes: Routes) {
        routes.get("/runs", answer = ::runs)
    }

    private fun runs(visit: Visit): Answer {
        val filters = RunFilters(visit)
        val found = if (filters.problems.isEmpty()) RunPage.read(visit, filters) else null
        val page = Page("Workflows", Section.RUNS, Topic.Ledger) {
            filters(visit, filters)
            if (found == null) {
                p("problem") { +"Correct the marked fields to see runs." }
            } else {
                live("runs", visit) {
                    runTable(visit, found)
                    pager(visit, found.runs)
                }
            }
        }
        return Show(page, if (found == null) INVALID else OK)
    }

    private fun FlowContent.filters(visit: Visit, filters: RunFilters) = filterForm(visit, "/runs", filters.problems) {
        choice("status", "State", WorkflowRunStatus.entries)
        text("type", "Type", "orders.fulfil or orders.*")
        options("paused", "Paused", listOf("true" to "paused", "false" to "not paused"))
        time("since", "Created since")
        time("before", "Created before")
        text("key", "Idempotency key")
        organization("organization")
    }

    private companion object {
        const val OK = 200
        const val INVALID = 400
    }
}

package io.runledger.console.screen.audit

import io.runledger.console.content.Page
import io.runledger.console.content.Section
import io.runledger.console.content.Topic
import io.runledger.console.page.filterForm
import io.runledger.console.page.ledgerText
import io.runledger.console.page.listing
import io.runledger.console.page.live
import io.runledger.console.page.moment
import io.runledger.console.page.organization
import io.runledger.console.page.pager
import io.runledger.console.visit.Answer
import io.runledger.console.visit.Routes
import io.runledger.console.visit.Screen
import io.runledger.console.visit.Show
import io.runledger.console.visit.Visit
import io.runledger.model.operator.OperatorAction
import io.runledger.model.operator.OperatorActionKind
import kotlinx.html.FlowContent
import kotlinx.html.a
import kotlinx.html.p
import java.time.Instant

/** What operators have done. */
internal class AuditListScreen : Screen {
    override fun register(routes: Routes) {
        routes.get("/audit", answer = ::actions)
    }

    private fun actions(visit: Visit): Answer {
        val filters = AuditFilters(visit)
        val isValid = filters.problems.isEmpty()
        val found = if (isValid) {
            val query = filters.query()
            visit.snapshot("audit ${filters.scope} $query") { visit.reads.audit.list(filters.scope, query) }
        } else {
            null
        }
        val page = Page("Audit", Section.AUDIT, Topic.Ledger) {
            form(visit, filters)
            if (found == null) {
                p("problem") { +"Correct the marked fields to see actions." }
            } else {
                live("actions", visit) {
                    table(visit, found.items())
                    pager(visit, found)
                }
            }
        }
        return Show(page, if (isValid) OK else INVALID)
    }

    private fun FlowContent.form(visit: Visit, filters: AuditFilters) = filterForm(visit, "/audit", filters.problems) {
        text("actor", "Actor")
        options("kind", "Action", OperatorActionKind.entries.map { it.name to it.inPlainWords() })
        choice("target", "Target", AuditFilters.NAMED)
        text("name", "Name or id of the target")
        time("since", "Since")
        time("before", "Before")
        options("unfinished", "Progress", listOf("true" to "not finished"))
        organization("organization")
    }

    private fun FlowContent.table(visit: Visit, actions: List<OperatorAction>) {
        val now = Instant.now()
        listing("Actions of operators, newest first", actions, "No action matches.") {
            column("When") { a(href = visit.link(auditPath(it.id()))) { moment(it.startedAt(), now) } }
            column("Actor") { ledgerText(it.actor()) }
            column("Action") { +it.kind().inPlainWords() }
            column("Target") { target(visit, it.target()) }
            column("Changed") { progress(it) }
            column("Reason") { ledgerText(it.reason()) }
            organization(visit) { it.organizationId() }
        }
    }

    private companion object {
        const val OK = 200
        const val INVALID = 400
    }
}

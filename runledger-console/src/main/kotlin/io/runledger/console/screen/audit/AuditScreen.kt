package io.runledger.console.screen.audit

import io.runledger.console.action.auditActions
import io.runledger.console.content.Page
import io.runledger.console.content.Section
import io.runledger.console.content.Topic
import io.runledger.console.page.exactly
import io.runledger.console.page.facts
import io.runledger.console.page.json
import io.runledger.console.page.ledgerText
import io.runledger.console.page.live
import io.runledger.console.page.mono
import io.runledger.console.page.organization
import io.runledger.console.visit.Routes
import io.runledger.console.visit.Screen
import io.runledger.console.visit.Visit
import io.runledger.model.ledger.Scope
import io.runledger.model.operator.OperatorAction
import kotlinx.html.FlowContent
import kotlinx.html.a
import kotlinx.html.h2
import kotlinx.html.p
import kotlinx.html.section

/** One action of an operator. */
internal class AuditScreen : Screen {
    override fun register(routes: Routes) {
        routes.page("/audit/{id}", page = ::action)
    }

    private fun action(visit: Visit): Page {
        val id = visit.id()
        val action = visit.snapshot("action $id") { visit.reads.audit.get(visit.scope, id) }
        return Page("${action.actor()}: ${action.kind().inPlainWords()}", Section.AUDIT, Topic.Ledger) {
            live("action", visit) {
                actionFacts(visit, action)
                auditActions(visit, action)
            }
            section {
                h2 { +"Details" }
                json(visit, action.details())
            }
        }
    }

    private fun FlowContent.actionFacts(visit: Visit, action: OperatorAction) = section {
        if (!action.isFinished) {
            p("note") { +"The action is running, or its process ended before it. What it has changed so far stays changed." }
        }
        facts {
            fact("Actor", action.actor())
            fact("Action", action.kind().inPlainWords())
            fact("Target") { target(visit, action.target()) }
            fact("Changed") { progress(action) }
            fact("Reason") { ledgerText(action.reason() ?: "none was given") }
            fact("Started") { exactly(action.startedAt()) }
            action.finishedAt()?.let { end -> fact("Finished") { exactly(end) } }
            action.key()?.let { key -> fact("Request key") { mono(key) } }
            if (visit.scope.kind() == Scope.Kind.EVERYTHING) fact("Organization") { organization(action.organizationId()) }
            action.undoneBy()?.let { undo ->
                fact("Undone by") { a(href = visit.link(auditPath(undo))) { mono(undo.toString()) } }
            }
        }
    }
}

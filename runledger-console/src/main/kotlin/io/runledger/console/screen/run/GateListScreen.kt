package io.runledger.console.screen.run

import io.runledger.console.access.ConsoleRole
import io.runledger.console.action.gateActions
import io.runledger.console.content.Page
import io.runledger.console.content.Section
import io.runledger.console.content.Topic
import io.runledger.console.content.inWords
import io.runledger.console.page.idLink
import io.runledger.console.page.ledgerText
import io.runledger.console.page.listing
import io.runledger.console.page.live
import io.runledger.console.page.moment
import io.runledger.console.page.mono
import io.runledger.console.page.organization
import io.runledger.console.page.pager
import io.runledger.console.visit.Routes
import io.runledger.console.visit.Screen
import io.runledger.console.visit.Visit
import io.runledger.model.run.OpenGate
import kotlinx.html.FlowContent
import kotlinx.html.a
import kotlinx.html.p
import java.time.Duration
import java.time.Instant

/** The gates that wait to be completed. */
internal class GateListScreen : Screen {
    override fun register(routes: Routes) {
        routes.page("/gates", page = ::gates)
    }

    private fun gates(visit: Visit): Page {
        val after = visit.query["after"]
        val gates = visit.snapshot("gates $after") { visit.reads.workflows.openGates(visit.scope, PAGE, after) }
        val now = Instant.now()
        return Page("Gates", Section.GATES, Topic.Ledger) {
            p("note") { +"Steps that wait for a person or for another system. The longest wait is first." }
            live("gates", visit) {
                listing("Open gates, longest wait first", gates.items(), "No gate is open.") {
                    column("Gate") { a(href = visit.link(stepPath(it.runId(), it.stepKey()))) { ledgerText(it.stepKey()) } }
                    column("Run") { idLink(visit, "/runs", it.runId()) }
                    column("Workflow") { mono(it.workflowType()) }
                    column("Waits for") { +Duration.between(it.openedAt(), now).coerceAtLeast(Duration.ZERO).inWords() }
                    column("Opened") { moment(it.openedAt(), now) }
                    column("Deadline") { deadline(it, now) }
                    organization(visit) { it.organizationId() }
                    if (visit.may(ConsoleRole.OPERATOR)) column("Actions") { gateActions(visit, it) }
                }
                pager(visit, gates)
            }
        }
    }

    private fun FlowContent.deadline(gate: OpenGate, now: Instant) {
        moment(gate.expiresAt(), now)
        gate.expiry()?.let { +", then ${it.inWords()}" }
    }

    private companion object {
        const val PAGE = 50
    }
}

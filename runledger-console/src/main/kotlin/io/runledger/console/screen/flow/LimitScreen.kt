package io.runledger.console.screen.flow

import io.runledger.console.action.limitActions
import io.runledger.console.content.Page
import io.runledger.console.content.Section
import io.runledger.console.content.Topic
import io.runledger.console.content.inWords
import io.runledger.console.content.meaning
import io.runledger.console.content.ofJobs
import io.runledger.console.content.whoSharesIt
import io.runledger.console.page.facts
import io.runledger.console.page.live
import io.runledger.console.page.moment
import io.runledger.console.screen.fleet.fleetOnly
import io.runledger.console.visit.NoSuchPageException
import io.runledger.console.visit.Routes
import io.runledger.console.visit.Screen
import io.runledger.console.visit.Visit
import io.runledger.model.flow.StoredLimit
import kotlinx.html.FlowContent
import kotlinx.html.p
import kotlinx.html.span

/** One limit: its values, who uses it, and how the values have changed. */
internal class LimitScreen : Screen {
    override fun register(routes: Routes) {
        routes.page("/limits/{limit}") { fleetOnly(it, Section.LIMITS, ::limit) }
    }

    private fun limit(visit: Visit): Page {
        val name = visit.part("limit")
        val limit = visit.snapshot("limit $name") {
            visit.reads.limits.find(name) ?: throw NoSuchPageException(visit.request.path)
        }
        return Page(limit.name(), Section.LIMITS, Topic.Ledger) {
            live("limit", visit) {
                values(limit)
                limitActions(visit, limit)
                limitUse(visit, limit)
                limitChanges(visit, "limit $name") { most, before -> visit.reads.limits.history(name, most, before) }
            }
        }
    }

    private fun FlowContent.values(limit: StoredLimit) {
        val values = limit.inForce()
        p {
            if (values.permits() == 0) span("state state-paused") { +"paused" } else span("state state-active") { +"active" }
            +" "
            if (limit.changed()) span("override") { +"changed by an operator" }
        }
        p { +values.meaning(limit.keyedBy().ofJobs()) }
        facts {
            fact("Counts", limit.keyedBy().whoSharesIt())
            fact("In force", values.inWords())
            fact("Declared", limit.declared().inWords())
            fact("First declared") { moment(limit.createdAt()) }
            fact("Last changed") { moment(limit.updatedAt()) }
        }
    }
}

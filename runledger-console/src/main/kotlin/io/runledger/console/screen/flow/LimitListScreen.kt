package io.runledger.console.screen.flow

import io.runledger.console.content.Page
import io.runledger.console.content.Section
import io.runledger.console.content.Topic
import io.runledger.console.content.grouped
import io.runledger.console.content.inWords
import io.runledger.console.content.whoSharesIt
import io.runledger.console.page.listing
import io.runledger.console.page.live
import io.runledger.console.page.mono
import io.runledger.console.page.pager
import io.runledger.console.screen.fleet.fleetOnly
import io.runledger.console.visit.Routes
import io.runledger.console.visit.Screen
import io.runledger.console.visit.Visit
import io.runledger.model.flow.LimitLoad
import io.runledger.model.flow.StoredLimit
import kotlinx.html.FlowContent
import kotlinx.html.a
import kotlinx.html.p
import kotlinx.html.span
import io.runledger.model.ledger.Page as LedgerPage

/** The limits with their values and their use. */
internal class LimitListScreen : Screen {
    override fun register(routes: Routes) {
        routes.page("/limits") { fleetOnly(it, Section.LIMITS, ::limits) }
    }

    private fun limits(visit: Visit): Page {
        val after = visit.query["after"]
        val limits = visit.snapshot("limits $after") { visit.reads.limits.list(PAGE, after) }
        val loads = visit.snapshot("limit loads") { visit.reads.limits.loads() }.associateBy { it.name() }
        return Page("Limits", Section.LIMITS, Topic.Ledger) {
            live("limits", visit) {
                if (limits.items().isEmpty() && after == null) {
                    p("empty") { +"No job type declares a limit." }
                    howToDeclare(DECLARED_BY_TYPES, LIMIT_IN_KOTLIN, LIMIT_IN_JAVA)
                } else {
                    table(visit, limits, loads)
                }
            }
        }
    }

    private fun FlowContent.table(visit: Visit, limits: LedgerPage<StoredLimit>, loads: Map<String, LimitLoad>) {
        listing("Limits by name", limits.items(), "There are no further limits.") {
            column("Limit") { a(href = visit.link(limitPath(it.name()))) { mono(it.name()) } }
            column("Counts") { +it.keyedBy().whoSharesIt() }
            number("Permits") { +permits(it.inForce().permits()) }
            column("Rate") { +(it.inForce().rate()?.inWords() ?: "–") }
            column("Declared") { +it.declared().inWords() }
            number("In use") { +(loads[it.name()]?.inUse() ?: 0).toLong().grouped() }
            number("Waiting") { limit ->
                +(loads[limit.name()]?.let { waiting(it.waiting(), it.moreWaiting()) } ?: waiting(0, false))
            }
            column("Changed by an operator") { if (it.changed()) span("override") { +"changed" } }
        }
        pager(visit, limits)
    }

    private companion object {
        const val PAGE = 100
        const val DECLARED_BY_TYPES = "A job type declares a limit, and all types that name it share it:"
        const val LIMIT_IN_KOTLIN =
            """jobType<CrmPush>("crm.push") { limit("crm-api", permits = 8, rate = 100.per(1.seconds)) }"""
        const val LIMIT_IN_JAVA =
            """JobType.builder("crm.push", CrmPush.class).limit("crm-api", l -> l.permits(8).rate(100, Duration.ofSeconds(1)))"""
    }
}

internal fun limitPath(name: String): String = "/limits/${Visit.encoded(name)}"

internal fun permits(permits: Int?): String = permits?.toLong()?.grouped() ?: "–"

/** A count that stops at a bound. */
internal fun waiting(count: Int, isMore: Boolean): String = count.toLong().grouped() + if (isMore) " or more" else ""

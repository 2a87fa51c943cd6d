package io.runledger.console.screen.schedule

import io.runledger.console.content.Page
import io.runledger.console.content.Section
import io.runledger.console.content.Topic
import io.runledger.console.page.ledgerText
import io.runledger.console.page.listing
import io.runledger.console.page.live
import io.runledger.console.page.moment
import io.runledger.console.page.organization
import io.runledger.console.page.pager
import io.runledger.console.visit.Routes
import io.runledger.console.visit.Screen
import io.runledger.console.visit.Visit
import io.runledger.exposed.Schedules
import kotlinx.html.a
import kotlinx.html.p
import java.time.Instant

/** The list of schedules. */
internal class ScheduleListScreen : Screen {
    override fun register(routes: Routes) {
        routes.page("/schedules", page = ::schedules)
    }

    private fun schedules(visit: Visit): Page {
        val after = visit.query["after"]
        val schedules = visit.snapshot("schedules $after") { visit.reads.schedules.list(visit.scope, PAGE, after) }
        val now = Instant.now()
        return Page("Schedules", Section.SCHEDULES, Topic.Ledger) {
            p { a(href = visit.link(PREVIEW)) { +"Try a cron expression" } }
            live("schedules", visit) {
                listing("Schedules by name", schedules.items(), "There are no schedules.") {
                    column("Schedule") { a(href = visit.link(schedulePath(it.name()))) { ledgerText(it.name()) } }
                    column("State") { scheduleState(it, now) }
                    column("Rule") { ledgerText(Schedules.describe(it)) }
                    column("Creates") { creates(visit, it) }
                    column("Next fire") { if (it.active()) moment(it.nextFireAt(), now) else moment(null) }
                    column("Last fire") {
                        moment(it.lastFiredAt(), now)
                        +" "
                        created(visit, it.lastJobId(), it.lastRunId())
                    }
                    organization(visit) { it.organizationId() }
                }
                pager(visit, schedules)
            }
        }
    }

    private companion object {
        const val PAGE = 100
    }
}

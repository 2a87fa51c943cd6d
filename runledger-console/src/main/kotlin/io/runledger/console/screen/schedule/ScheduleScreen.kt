package io.runledger.console.screen.schedule

import io.runledger.console.action.scheduleActions
import io.runledger.console.content.Page
import io.runledger.console.content.Section
import io.runledger.console.content.Topic
import io.runledger.console.page.headerList
import io.runledger.console.page.json
import io.runledger.console.page.live
import io.runledger.console.visit.Document
import io.runledger.console.visit.Routes
import io.runledger.console.visit.Screen
import io.runledger.console.visit.Visit
import io.runledger.model.schedule.Schedule
import kotlinx.html.FlowContent
import kotlinx.html.div
import kotlinx.html.h2
import kotlinx.html.section
import java.time.Instant

/** One schedule: its rule, its next fires and its history. */
internal class ScheduleScreen : Screen {
    override fun register(routes: Routes) {
        routes.page("/schedules/{name}") { schedule(it, it.part("name")) }
        routes.get("/schedules/{name}/json/payload") { visit ->
            val schedule = visit.reads.schedules.get(visit.scope, visit.part("name"))
            Document("application/json", visit.ledgers.json.whole(schedule.payloadTemplate()))
        }
    }

    companion object {
        fun schedule(visit: Visit, name: String): Page {
            val schedule = visit.snapshot("schedule $name") { visit.reads.schedules.get(visit.scope, name) }
            val now = Instant.now()
            return Page(schedule.name(), Section.SCHEDULES, Topic.Ledger) {
                live("schedule", visit) {
                    scheduleFacts(visit, schedule, now)
                    scheduleActions(visit, schedule)
                    nextFires(visit, schedule)
                }
                live("history", visit) { fireHistory(visit, schedule) }
                payload(visit, schedule)
            }
        }

        private fun FlowContent.payload(visit: Visit, schedule: Schedule) = div("columns") {
            section {
                h2 { +"Payload of its jobs" }
                json(visit, schedule.payloadTemplate(), visit.link("${schedulePath(schedule.name())}/json/payload"))
            }
            section {
                h2 { +"Headers" }
                headerList(visit, schedule.headers())
            }
        }
    }
}

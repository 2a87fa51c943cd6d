package io.runledger.console.action

import io.runledger.console.access.ConsoleRole
import io.runledger.console.visit.Visit
import io.runledger.model.schedule.Schedule
import kotlinx.html.FlowContent
import kotlinx.html.p

/** What the user can do with [schedule]. */
internal fun FlowContent.scheduleActions(visit: Visit, schedule: Schedule) {
    if (!visit.may(ConsoleRole.OPERATOR)) p("note") { +"Operators can ${if (schedule.active()) "pause" else "resume"} this schedule." }
}

package io.runledger.console.screen.schedule

import io.runledger.console.page.FIRES
import io.runledger.console.page.fireTimes
import io.runledger.console.visit.Visit
import io.runledger.model.schedule.Schedule
import kotlinx.html.FlowContent
import kotlinx.html.h2
import kotlinx.html.p
import kotlinx.html.section
import java.time.ZoneId

/** The next fires of [schedule], unless it is paused. */
internal fun FlowContent.nextFires(visit: Visit, schedule: Schedule) = section {
    h2 { +"Next fires" }
    if (!schedule.active()) {
        p("empty") { +"It is paused. After it is resumed, it continues with its next fire after that time." }
        return@section
    }
    val name = schedule.name()
    val fires = visit.snapshot("schedule upcoming $name") { visit.reads.schedules.upcoming(visit.scope, name, FIRES) }
    fireTimes(fires, ZoneId.of(schedule.timeZone()))
}

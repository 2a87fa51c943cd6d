package io.runledger.console.screen.schedule

import io.runledger.console.content.from
import io.runledger.console.page.exactly
import io.runledger.console.page.listing
import io.runledger.console.visit.Visit
import io.runledger.model.schedule.Schedule
import kotlinx.html.FlowContent
import kotlinx.html.h2
import kotlinx.html.p
import kotlinx.html.section
import java.time.Instant
import java.time.ZoneId
import java.time.format.DateTimeFormatter
import java.util.Locale

/** The next fires of [schedule], unless it is paused. */
internal fun FlowContent.nextFires(visit: Visit, schedule: Schedule) = section {
    h2 { +"Next fires" }
    if (!schedule.active()) {
        p("empty") { +"It is paused. After it is resumed, it continues with its next fire after that time." }
        return@section
    }
    val name = schedule.name()
    val fires = visit.snapshot("schedule upcoming $name") { visit.reads.schedules.upcoming(visit.scope, name, COUNT) }
    fireTimes(fires, ZoneId.of(schedule.timeZone()))
}

/** Fires in UTC and in [zone]; the script adds the zone of the viewer. */
internal fun FlowContent.fireTimes(fires: List<Instant>, zone: ZoneId) {
    val now = Instant.now()
    listing("Next fires", fires, "It never fires again.") {
        column("UTC") { exactly(it) }
        if (zone.id !in sameAsUtc) column(zone.id) { +inZone.format(it.atZone(zone)) }
        column("From now") { +it.from(now) }
    }
    if (fires.size in 1 until COUNT) p("note") { +"There are no further fires." }
}

internal const val COUNT = 10

private val sameAsUtc = setOf("UTC", "Z", "Etc/UTC")
private val inZone = DateTimeFormatter.ofPattern("EEE yyyy-MM-dd HH:mm:ss XXX", Locale.ENGLISH)

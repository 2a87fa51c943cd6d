package io.runledger.console.page

import io.runledger.console.content.from
import kotlinx.html.FlowContent
import kotlinx.html.p
import java.time.Instant
import java.time.ZoneId
import java.time.format.DateTimeFormatter
import java.util.Locale

/** The number of next fires that a page shows. */
internal const val FIRES = 10

/** The next fires of a schedule in UTC and in [zone]; the script adds the zone of the viewer. */
internal fun FlowContent.fireTimes(fires: List<Instant>, zone: ZoneId) {
    val now = Instant.now()
    listing("Next fires", fires, "It never fires again.") {
        column("UTC") { exactly(it) }
        if (zone.id !in sameAsUtc) column(zone.id) { +inZone.format(it.atZone(zone)) }
        column("From now") { +it.from(now) }
    }
    if (fires.size in 1 until FIRES) p("note") { +"There are no further fires." }
}

private val sameAsUtc = setOf("UTC", "Z", "Etc/UTC")
private val inZone = DateTimeFormatter.ofPattern("EEE yyyy-MM-dd HH:mm:ss XXX", Locale.ENGLISH)

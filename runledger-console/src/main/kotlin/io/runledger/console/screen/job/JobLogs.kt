package io.runledger.console.screen.job

import io.runledger.console.page.ledgerText
import io.runledger.console.visit.Visit
import io.runledger.model.handler.LogLevel
import io.runledger.model.job.JobLogLine
import io.runledger.model.json.Json
import kotlinx.html.FlowContent
import kotlinx.html.LI
import kotlinx.html.a
import kotlinx.html.details
import kotlinx.html.h2
import kotlinx.html.li
import kotlinx.html.ol
import kotlinx.html.p
import kotlinx.html.pre
import kotlinx.html.section
import kotlinx.html.span
import kotlinx.html.summary
import kotlinx.html.time
import java.time.Instant
import java.time.ZoneOffset
import java.time.format.DateTimeFormatter
import java.util.Locale

/** The newest lines of the log, and a link to all. */
internal fun FlowContent.logs(visit: Visit, view: JobView) = section {
    h2 { +"Log" }
    val lines = view.story.logs().takeLast(MOST_SHOWN).reversed()
    if (lines.isEmpty()) {
        p("empty") { +"The handler has written no line." }
    } else {
        logLines(visit, lines)
        p { a(href = visit.link("/jobs/${view.job.id()}/logs")) { +"All lines, with filter" } }
    }
}

/** Lines of a log, one under the other. */
internal fun FlowContent.logLines(visit: Visit, lines: List<JobLogLine>) = ol("log") {
    lines.forEach { line -> li("log-${severity(line)?.name?.lowercase() ?: "other"}") { logLine(visit, line) } }
}

private fun LI.logLine(visit: Visit, line: JobLogLine) {
    at(line.occurredAt())
    +" "
    ledgerText(line.level().cut(LONGEST_LEVEL), "level")
    line.attempt()?.let { span("note") { +" ${line.runNumber()}.$it" } }
    +" "
    ledgerText(line.message(), "message")
    if (line.payload() != Json.EMPTY_OBJECT) {
        details {
            summary { +"Data" }
            pre("json") { ledgerText(visit.ledgers.json.shown(line.payload(), LONGEST_DATA).text) }
        }
    }
}

/** An instant to the millisecond, in UTC. The script shows it in the zone of the viewer too. */
private fun LI.at(at: Instant) = time("at mono") {
    attributes["datetime"] = at.toString()
    +MILLIS.format(at)
}

/** The level of a line; null if another program has written a level that the library does not know. */
internal fun severity(line: JobLogLine): LogLevel? = LogLevel.entries.find { it.wire() == line.level() }

private val MILLIS = DateTimeFormatter.ofPattern("MM-dd HH:mm:ss.SSS", Locale.ROOT).withZone(ZoneOffset.UTC)
private const val MOST_SHOWN = 15
private const val LONGEST_LEVEL = 20
private const val LONGEST_DATA = 4 * 1024

package io.runledger.console.screen.job

import io.runledger.console.content.of
import io.runledger.console.page.exactly
import io.runledger.console.page.ledgerText
import io.runledger.console.visit.Visit
import io.runledger.model.history.JobEvent
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

/** What happened to the job, line by line, the last first. */
internal fun FlowContent.events(visit: Visit, view: JobView) = section("journal") {
    h2 { +"What happened" }
    val all = view.story.events().reversed()
    val shown = if (isFull(visit)) all else all.take(MOST_SHOWN)
    ol("lines") {
        attributes["reversed"] = "reversed"
        shown.forEach { li { event(visit, it, hasRuns = view.job.runNumber() > 1) } }
    }
    if (all.size > shown.size) {
        p("note") { a(href = visit.linkHere("full" to "yes")) { +"Show all ${all.size.toLong().of("event")}" } }
    }
}

private fun LI.event(visit: Visit, event: JobEvent, hasRuns: Boolean) {
    val line = EventLine.of(event, visit.ledgers.json.members(event.payload()))
    span("event event-${event.type().name.lowercase().replace('_', '-')}") { ledgerText(line.sentence) }
    line.actor?.let {
        +" by "
        ledgerText(it, "actor")
    }
    line.reason?.let {
        span("reason") {
            +" “"
            ledgerText(it.cut(LONGEST))
            +"”"
        }
    }
    span("when") {
        exactly(event.occurredAt())
        +(if (hasRuns) " · run ${event.runNumber()}" else "")
        event.attempt()?.let { +" · attempt $it" }
    }
    line.others.takeIf { it.isNotEmpty() }?.let { others ->
        span("note") { ledgerText(others.entries.joinToString(" · ") { (name, value) -> "$name ${value.cut(LONGEST)}" }) }
    }
    if (visit.ledgers.json.hasNested(event.payload())) {
        details {
            summary { +"Details" }
            pre("json") { ledgerText(visit.ledgers.json.shown(event.payload(), LONGEST_DETAILS).text) }
        }
    }
}

private const val MOST_SHOWN = 60
private const val LONGEST = 500
private const val LONGEST_DETAILS = 8 * 1024

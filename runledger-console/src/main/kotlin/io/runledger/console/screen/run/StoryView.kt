package io.runledger.console.screen.run

import io.runledger.console.page.exactly
import io.runledger.console.page.ledgerText
import io.runledger.console.page.pager
import io.runledger.console.screen.audit.byOperator
import io.runledger.console.visit.Visit
import io.runledger.model.json.Json
import io.runledger.model.ledger.Page
import kotlinx.html.FlowContent
import kotlinx.html.LI
import kotlinx.html.a
import kotlinx.html.h2
import kotlinx.html.li
import kotlinx.html.ol
import kotlinx.html.p
import kotlinx.html.section
import kotlinx.html.span

/** What happened to a run and its steps, line by line, the latest first. */
internal fun FlowContent.storyView(visit: Visit, reads: RunReads) = section {
    h2 { +"What happened, the latest first" }
    val story = reads.story()
    if (story == null) {
        tooManySteps(visit, reads)
        return@section
    }
    val lines = StoryLine.of(story, reads.operators())
    val from = visit.query["after"]?.toIntOrNull()?.coerceIn(0, lines.size) ?: 0
    val shown = lines.subList(from, minOf(from + LINES, lines.size))
    if (shown.isEmpty()) p("empty") { +"Nothing is recorded." }
    ol("lines story") {
        shown.forEach { line -> li { line(visit, reads, line) } }
    }
    pager(visit, Page(shown, if (from + LINES < lines.size) (from + LINES).toString() else null))
}

private fun LI.line(visit: Visit, reads: RunReads, line: StoryLine) {
    exactly(line.at)
    +" "
    when (line) {
        is StoryLine.OfStep -> {
            a(href = visit.link(stepPath(reads.id, line.stepKey))) { ledgerText(line.stepKey) }
            +" ${line.words}"
            author(visit.ledgers.json.members(line.details))
            details(visit, line.details)
        }

        is StoryLine.OfSteps -> {
            +"${line.count} steps "
            +line.words
        }

        is StoryLine.OfRun -> {
            span("run-event") { +"Run ${line.words}" }
            byOperator(visit, line.action)
            line.reason?.let {
                +": "
                ledgerText(it)
            }
        }
    }
}

/** The journal of a step names the operator itself. */
private fun LI.author(members: Map<String, String>) = members["actor"]?.let {
    +" by "
    ledgerText(it, "actor")
}

private fun LI.details(visit: Visit, details: Json) {
    if (details.text() == Json.EMPTY_OBJECT.text()) return
    +" "
    span("mono note") { ledgerText(visit.ledgers.json.shown(details, DETAILS).text.replace(Regex("\\s+"), " ")) }
}

private const val LINES = 100
private const val DETAILS = 500

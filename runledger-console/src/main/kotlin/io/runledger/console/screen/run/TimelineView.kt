package io.runledger.console.screen.run

import io.runledger.console.content.grouped
import io.runledger.console.page.picture
import io.runledger.console.picture.PictureOptions
import io.runledger.console.picture.RunTimeline
import io.runledger.console.visit.Visit
import kotlinx.html.FlowContent
import kotlinx.html.a
import kotlinx.html.div
import kotlinx.html.nav
import java.time.Instant

/** The steps of a run on a time axis. */
internal fun FlowContent.timelineView(visit: Visit, reads: RunReads) {
    val story = reads.story()
    if (story == null) {
        tooManySteps(visit, reads)
        return
    }
    val open = visit.query.all("open").toSet()
    val from = visit.query["row"]?.toIntOrNull()?.coerceIn(0, story.steps().size) ?: 0
    val options = PictureOptions.builder()
        .rows(from, ROWS)
        .expanded(open)
        .stepHref { key -> visit.link(stepPath(reads.id, key)) }
        .groupHref { group -> visit.withOpen(if (group in open) open - group else open + group) }
        .build()
    val timeline = RunTimeline.of(story, Instant.now())
    div("graph scrolls") { picture(timeline.svg(options)) }
    rowPages(visit, from, timeline.rows(options))
}

private fun FlowContent.rowPages(visit: Visit, from: Int, rows: Int) {
    if (rows <= ROWS) return
    nav("pager") {
        attributes["aria-label"] = "Pages of the timeline"
        if (from > 0) a(href = visit.linkHere("row" to (from - ROWS).coerceAtLeast(0).toString())) { +"Rows before" }
        if (from + ROWS < rows) {
            a(href = visit.linkHere("row" to (from + ROWS).toString())) { +"Further rows, of ${rows.toLong().grouped()}" }
        }
    }
}

private const val ROWS = 200

package io.runledger.console.screen.run

import io.runledger.console.page.ledgerText
import io.runledger.console.page.picture
import io.runledger.console.picture.PictureOptions
import io.runledger.console.picture.StepGroup
import io.runledger.console.visit.Visit
import kotlinx.html.FlowContent
import kotlinx.html.a
import kotlinx.html.div
import kotlinx.html.nav
import kotlinx.html.p
import java.time.Instant

/** The steps of a run as a graph. Groups of similar steps are opened, and the size is chosen, by the address of the page. */
internal fun FlowContent.graphView(visit: Visit, reads: RunReads, pictures: RunPictures) {
    val story = reads.story()
    if (story == null) {
        tooManySteps(visit, reads)
        return
    }
    val open = visit.query.all("open").toSet()
    val options = PictureOptions.builder()
        .expanded(open)
        .stepHref { key -> visit.link(stepPath(reads.id, key)) }
        .groupHref { group -> visit.withOpen(if (group in open) open - group else open + group) }
        .build()
    val graph = pictures.graph(story, Instant.now(), options)
    val zoom = Zoom.of(visit.query["zoom"])
    zoomLinks(visit, zoom)
    groupLinks(visit, graph.groups, open)
    div("graph ${zoom.look}") { picture(zoom.applied(graph.svg)) }
}

internal fun FlowContent.tooManySteps(visit: Visit, reads: RunReads) = p("note") {
    +"The run has more than ${RunReads.MOST_STEPS} steps, too many for a picture. "
    a(href = visit.link(runPath(reads.id), "view" to "steps")) { +"See the table of its steps" }
}

private fun FlowContent.zoomLinks(visit: Visit, current: Zoom) = nav("zoom") {
    attributes["aria-label"] = "Size of the graph"
    Zoom.entries.forEach { zoom ->
        a(href = visit.linkHere("zoom" to zoom.parameter)) {
            if (zoom == current) attributes["aria-current"] = "true"
            +zoom.label
        }
    }
}

private fun FlowContent.groupLinks(visit: Visit, groups: List<StepGroup>, open: Set<String>) {
    if (groups.isEmpty()) return
    nav("groups") {
        attributes["aria-label"] = "Groups of similar steps"
        groups.take(MOST_LINKS).forEach { group ->
            val next = if (group.isExpanded) open - group.id else open + group.id
            a(href = visit.withOpen(next), classes = "button") {
                +if (group.isExpanded) "Collapse " else "Show all ${group.size} of "
                ledgerText(group.name)
            }
        }
    }
}

/** The address of this page with the groups [ids] opened. */
internal fun Visit.withOpen(ids: Set<String>): String =
    linkHere(*(listOf("open" to null) + ids.sorted().map { "open" to it }).toTypedArray())

private const val MOST_LINKS = 20

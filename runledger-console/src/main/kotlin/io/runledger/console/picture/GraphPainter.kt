package io.runledger.console.picture

import io.runledger.console.picture.graph.Arrow
import io.runledger.console.picture.graph.GraphView
import io.runledger.console.picture.graph.Layout
import io.runledger.console.picture.graph.LayoutRequest
import io.runledger.console.picture.graph.Point
import io.runledger.console.picture.graph.RunShape
import io.runledger.console.picture.graph.Size
import io.runledger.console.picture.look.Legend
import io.runledger.console.picture.look.Look
import io.runledger.console.picture.look.StateLook
import io.runledger.console.picture.svg.SvgWriter
import io.runledger.console.picture.svg.safeAddress
import io.runledger.console.picture.svg.shown
import io.runledger.model.history.WorkflowStory
import io.runledger.model.workflow.ReleaseMode
import io.runledger.model.workflow.StepKind
import java.time.Instant
import kotlin.math.abs
import kotlin.math.ceil
import kotlin.math.max

/** What the picture of a graph knows beyond the story. */
internal class GraphSubject(val now: Instant?, val work: Map<String, StepWork>)

/** Draws a run as a graph. */
internal class GraphPainter(
    private val story: WorkflowStory,
    private val shape: RunShape,
    private val view: GraphView,
    private val subject: GraphSubject,
    private val options: PictureOptions,
) {
    private val steps = RunShape.stepsOf(story)
    private val resultKey = story.run().resultStepKey()
    private val linkStates = view.links.map { link ->
        EdgeState.ofAll(link.waits.mapTo(HashSet()) { EdgeState.of(it.mode, steps[it.from].status(), steps[it.to].status()) })
    }

    fun draw(layouts: GraphLayouts): String {
        val request = LayoutRequest(view.boxes.map(::sizeOf), view.links.map { Arrow(it.from, it.to, it.mode) })
        val layout = layouts.of(request)
        val width = ceil(max(layout.width, NARROWEST))
        val legend = Legend(legendItems(), width - 2 * MARGIN)
        val states = RunText.counts(steps)
        val frame = Frame(
            "rl-graph",
            RunText.title(story.run()),
            RunText.description(states) +
                if (steps.isEmpty()) "" else " Steps are boxes, dependencies are lines from left to right.",
            width,
            ceil(max(layout.height, SHORTEST) + legend.height),
            hasLinks = view.boxes.any { hrefOf(it) != null },
        )
        return frame.draw(options) {
            if (steps.isEmpty()) {
                label("The run has no steps.", MARGIN, SHORTEST / 2, "class" to Look.LABEL)
            }
            edges(this, layout)
            view.boxes.forEachIndexed { place, box ->
                at(layout.boxes[place].x, layout.boxes[place].y) { box(this, box, request.sizes[place]) }
            }
            legend.draw(this, MARGIN, max(layout.height, SHORTEST) - MARGIN / 2)
        }
    }

    private fun sizeOf(box: GraphView.Box): Size {
        if (box.group != null) {
            return GroupCard.SIZE
        }
        val step = steps[box.members.single()]
        val marks = (if (step.condition() != null) 1 else 0) + if (step.stepKey() == resultKey) 1 else 0
        return StepCard.sizeOf(shown(step.stepKey()), step.kind() == StepKind.EXTERNAL, marks)
    }

    private fun edges(svg: SvgWriter, layout: Layout) {
        // Lines that lead nowhere are below the others.
        val order = view.links.indices.sortedBy { linkStates[it] != EdgeState.UNMET }
        for (place in order) {
            val link = view.links[place]
            val title = if (order.size > MOST_TITLES) null else title(link, linkStates[place])
            EdgeLine(link.mode, linkStates[place]).draw(svg, touching(layout, link, layout.lines[place]), title)
        }
    }

    /** The points of a line that begins and ends at the pointed sides of gates, and not at the sides of their boxes. */
    private fun touching(layout: Layout, link: GraphView.Link, points: List<Point>): List<Point> {
        val start = points.first().let { it.copy(x = it.x - inset(layout, link.from, it)) }
        val end = points.last().let { it.copy(x = it.x + inset(layout, link.to, it)) }
        return listOf(start) + points.subList(1, points.size - 1) + end
    }

    private fun inset(layout: Layout, box: Int, point: Point): Double {
        val isGate = view.boxes[box].let { it.group == null && steps[it.members.single()].kind() == StepKind.EXTERNAL }
        return if (isGate) StepCard.gateInset(abs(point.y - layout.boxes[box].y - StepCard.HEIGHT / 2.0)) else 0.0
    }

    private fun title(link: GraphView.Link, state: EdgeState): String {
        val input = link.waits.singleOrNull()?.inputName?.let { ", input ${shown(it)}" }.orEmpty()
        val end = if (state == EdgeState.UNMET) ", not satisfied" else ""
        return "${nameOf(view.boxes[link.from])} → ${nameOf(view.boxes[link.to])}, ${EdgeLine.words(link.mode)}$input$end"
    }

    private fun nameOf(box: GraphView.Box): String = shown(box.group?.name ?: shape.keys[box.members.single()])

    private fun hrefOf(box: GraphView.Box): String? = safeAddress(
        if (box.group == null) {
            options.stepHref.apply(shape.keys[box.members.single()])
        } else {
            options.groupHref.apply(box.group.id)
        },
    )

    private fun box(svg: SvgWriter, box: GraphView.Box, size: Size) {
        val href = hrefOf(box)
        if (box.group != null) {
            val card = GroupCard(nameOf(box), RunText.counts(box.members.map { steps[it] }))
            svg.link(href, card.sentence + ", show the steps", "class" to look("rl-group", href)) {
                svg.title(card.sentence)
                card.draw(svg)
            }
            return
        }
        val step = steps[box.members.single()]
        val isResult = step.stepKey() == resultKey
        val text = StepText(step, subject.work[step.stepKey()], subject.now, isResult)
        svg.link(href, text.sentence, "class" to look("rl-step", href)) {
            svg.title(text.tooltip(options.zone))
            StepCard(text, size, isResult, step.condition() != null).draw(svg)
        }
    }

    private fun look(kind: String, href: String?): String = if (href == null) kind else "$kind ${Look.LINK}"

    private fun legendItems(): List<Legend.Item> {
        if (!options.legend) {
            return emptyList()
        }
        val used = steps.mapTo(HashSet()) { StateLook.of(it.status()) }
        val modes = view.links.mapTo(HashSet()) { it.mode }
        val lines = if (modes.all { it == ReleaseMode.ON_SUCCESS }) emptyList() else BY_COMMONNESS.filter { it in modes }
        val open = view.groups.filter { it.id in options.expanded }
        return StateLook.entries.filter { it in used }.map(Legend::state) +
            lines.map { EdgeLine.legend(EdgeLine.words(it), EdgeState.OPEN, it) } +
            listOfNotNull(
                EdgeLine.legend("not satisfied", EdgeState.UNMET, ReleaseMode.ON_SUCCESS).takeIf {
                    EdgeState.UNMET in
                        linkStates
                },
            ) +
            open.mapNotNull { group ->
                safeAddress(options.groupHref.apply(group.id))?.let { Legend.link("collapse ${shown(group.name)}", it) }
            }
    }

    private companion object {
        const val MARGIN = 16.0
        const val NARROWEST = 320.0
        const val SHORTEST = 64.0
        const val MOST_TITLES = 500
        val BY_COMMONNESS = listOf(ReleaseMode.ON_SUCCESS, ReleaseMode.ON_FAILURE, ReleaseMode.ON_TERMINAL)
    }
}

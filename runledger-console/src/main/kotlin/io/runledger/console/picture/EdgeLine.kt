package io.runledger.console.picture

import io.runledger.console.picture.graph.Point
import io.runledger.console.picture.look.Legend
import io.runledger.console.picture.svg.SvgWriter
import io.runledger.console.picture.svg.number
import io.runledger.model.workflow.ReleaseMode
import io.runledger.model.workflow.WorkflowStepStatus
import kotlin.math.hypot
import kotlin.math.min

/** How far a dependency has come. */
internal enum class EdgeState(val look: String) {
    /** The prerequisite has not ended. */
    OPEN("rl-open"),

    /** The prerequisite ended as the dependency asks. */
    MET("rl-met"),

    /** The prerequisite ended otherwise, or the dependent was skipped. */
    UNMET("rl-unmet"),
    ;

    companion object {
        fun of(mode: ReleaseMode, prerequisite: WorkflowStepStatus, dependent: WorkflowStepStatus): EdgeState = when {
            !prerequisite.isTerminal -> OPEN
            !mode.isSatisfiedBy(prerequisite) || dependent == WorkflowStepStatus.SKIPPED -> UNMET
            else -> MET
        }

        /** The state of several dependencies that are drawn as one line. */
        fun ofAll(states: Set<EdgeState>): EdgeState = listOf(OPEN, MET, UNMET).first { it in states }
    }
}

/** Draws a dependency: its line has dashes by release mode, and is thin and pale if it leads nowhere any more. */
internal class EdgeLine(private val mode: ReleaseMode, private val state: EdgeState) {
    fun draw(svg: SvgWriter, points: List<Point>, title: String?) {
        val look = "rl-edge ${state.look}"
        val end = points.last()
        val line = points.dropLast(1) + end.copy(x = end.x - HEAD / 2)
        svg.element("g", "class" to look) {
            title?.let { svg.title(it) }
            svg.empty(
                "path",
                "class" to "rl-line",
                "d" to rounded(line),
                "stroke-dasharray" to dashes(mode),
                "stroke-linecap" to cap(mode),
            )
            svg.empty(
                "path",
                "class" to "rl-head",
                "d" to "M${number(end.x)} ${number(end.y)}l${number(-HEAD)} ${number(-HEAD / 2)}v${number(HEAD)}z",
            )
        }
    }

    companion object {
        private const val HEAD = 8.0
        private const val CORNER = 8.0

        fun dashes(mode: ReleaseMode): String? = when (mode) {
            ReleaseMode.ON_SUCCESS -> null
            ReleaseMode.ON_FAILURE -> "7 5"
            ReleaseMode.ON_TERMINAL -> "0.1 5"
        }

        fun cap(mode: ReleaseMode): String? = if (mode == ReleaseMode.ON_TERMINAL) "round" else null

        fun words(mode: ReleaseMode): String = when (mode) {
            ReleaseMode.ON_SUCCESS -> "on success"
            ReleaseMode.ON_FAILURE -> "on failure"
            ReleaseMode.ON_TERMINAL -> "on any end"
        }

        fun legend(words: String, state: EdgeState, mode: ReleaseMode): Legend.Item = Legend.Item(words) { svg ->
            svg.element("g", "class" to "rl-edge ${state.look}") {
                svg.empty(
                    "path",
                    "class" to "rl-line",
                    "d" to "M0 ${number(Legend.MIDDLE)}h${number(Legend.SAMPLE)}",
                    "stroke-dasharray" to dashes(mode),
                    "stroke-linecap" to cap(mode),
                )
            }
        }

        /** A path through the points with rounded corners. */
        fun rounded(points: List<Point>): String {
            val path = StringBuilder("M").append(at(points.first()))
            for (place in 1 until points.size - 1) {
                val (before, corner, after) = points.subList(place - 1, place + 2)
                val radius = min(CORNER, min(distance(before, corner), distance(corner, after)) / 2)
                path.append('L').append(at(toward(corner, before, radius)))
                path.append('Q').append(at(corner)).append(' ').append(at(toward(corner, after, radius)))
            }
            return path.append('L').append(at(points.last())).toString()
        }

        private fun at(point: Point): String = "${number(point.x)} ${number(point.y)}"

        private fun distance(one: Point, other: Point): Double = hypot(one.x - other.x, one.y - other.y)

        private fun toward(from: Point, to: Point, length: Double): Point {
            val whole = distance(from, to)
            return if (whole == 0.0) {
                from
            } else {
                Point(from.x + (to.x - from.x) * length / whole, from.y + (to.y - from.y) * length / whole)
            }
        }
    }
}

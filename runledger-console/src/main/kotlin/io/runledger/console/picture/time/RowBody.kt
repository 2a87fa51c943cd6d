package io.runledger.console.picture.time

import io.runledger.console.picture.look.Look
import io.runledger.console.picture.look.StateLook
import io.runledger.console.picture.look.Texture
import io.runledger.console.picture.scale.TimeScale
import io.runledger.console.picture.svg.Area
import io.runledger.console.picture.svg.SvgWriter
import io.runledger.console.picture.svg.number
import kotlin.math.ceil
import kotlin.math.max

/** What is drawn in a row of a timeline. */
internal sealed interface RowBody {
    /** Draws into [row], and returns the part of its width that is taken. */
    fun draw(svg: SvgWriter, time: TimeScale, row: Area): ClosedFloatingPointRange<Double>
}

/** The bars and marks of one step or job. */
internal class BarsBody(private val track: Track, private val hasMarksAbove: Boolean = false) : RowBody {
    override fun draw(svg: SvgWriter, time: TimeScale, row: Area): ClosedFloatingPointRange<Double> {
        val middle = if (hasMarksAbove) row.bottom - BAR / 2 - 6 else row.y + row.height / 2
        var taken = row.right..row.x
        fun take(from: Double, to: Double) {
            taken = minOf(taken.start, from)..max(taken.endInclusive, to)
        }
        for (span in track.spans.sortedBy { it.kind != Span.Kind.WAIT }) {
            val from = time.at(span.from).coerceAtMost(row.right - THINNEST)
            val to = max(time.at(span.to), from + THINNEST)
            span(svg, span, Area(from, middle - BAR / 2, to - from, BAR))
            take(from, to)
        }
        val endings = track.spans.mapNotNull { span -> span.ending?.let { Mark(span.to, it, span.look, span.title) } }
        val above = if (hasMarksAbove) row.y + MARK / 2 + 3 else middle
        val marked = if (hasMarksAbove) {
            marks(svg, time, endings, middle) + marks(svg, time, track.marks, above)
        } else {
            marks(
                svg,
                time,
                endings + track.marks,
                middle,
            )
        }
        marked.forEach { take(it - MARK / 2, it + MARK / 2) }
        return if (taken.isEmpty()) row.x..row.x else taken
    }

    /** Draws marks in the order of their times, and returns their places. A mark that would cover the one before is left out. */
    private fun marks(svg: SvgWriter, time: TimeScale, marks: List<Mark>, y: Double): List<Double> {
        val places = mutableListOf<Double>()
        for (mark in marks.sortedBy { it.at }) {
            val x = time.at(mark.at)
            if (places.isEmpty() || x >= places.last() + MARK * 0.75) {
                mark(svg, mark, x, y)
                places += x
            }
        }
        return places
    }

    private fun span(svg: SvgWriter, span: Span, area: Area) {
        svg.element("g") {
            svg.title(span.title)
            when (span.kind) {
                Span.Kind.WAIT -> rectangle(svg, "rl-wait ${span.look}", Area(area.x, area.y + BAR / 2 - 2, area.width, 4.0), 1.0)

                Span.Kind.OPEN -> rectangle(svg, "rl-wait ${span.look}", area, 3.0, "4 2")

                Span.Kind.RUN -> {
                    if (span.hasFailed && area.width > WIDE_ENOUGH_FOR_LINES) {
                        Texture.LINES.draw(svg, area, span.look)
                    } else {
                        rectangle(svg, "${Look.BAR} ${span.look}", area, minOf(3.0, area.width / 2))
                    }
                }
            }
        }
    }

    private fun rectangle(svg: SvgWriter, look: String, area: Area, radius: Double, dashes: String? = null) {
        svg.empty(
            "rect",
            "class" to look,
            "x" to area.x,
            "y" to area.y,
            "width" to area.width,
            "height" to area.height,
            "rx" to radius,
            "stroke-dasharray" to dashes,
        )
    }

    private fun mark(svg: SvgWriter, mark: Mark, x: Double, y: Double) {
        svg.element("g") {
            svg.title(mark.title)
            svg.empty("circle", "class" to "rl-background", "cx" to x, "cy" to y, "r" to MARK / 2)
            svg.icon(mark.icon, x - MARK / 2, y - MARK / 2, MARK, mark.look)
        }
    }

    private companion object {
        const val BAR = 12.0
        const val MARK = 12.0
        const val THINNEST = 2.0
        const val WIDE_ENOUGH_FOR_LINES = 4.0
    }
}

/** How many steps of a group ran at each time, and where steps failed. */
internal class ProfileBody(private val tracks: List<Track>, private val look: StateLook) : RowBody {
    override fun draw(svg: SvgWriter, time: TimeScale, row: Area): ClosedFloatingPointRange<Double> {
        val bins = max(1, ceil(row.width / BIN).toInt())
        fun bin(x: Double) = ((x - row.x) / BIN).toInt().coerceIn(0, bins - 1)
        val changes = IntArray(bins + 1)
        val failures = sortedSetOf<Int>()
        for (span in tracks.flatMap { it.spans }.filter { it.kind != Span.Kind.WAIT }) {
            changes[bin(time.at(span.from))]++
            changes[bin(time.at(span.to)) + 1]--
            if (span.hasFailed) {
                failures += bin(time.at(span.to))
            }
        }
        val start = tracks.mapNotNull { it.start }.minOrNull() ?: return row.x..row.x
        val end = tracks.mapNotNull { it.end }.max()
        val bottom = row.bottom - 4
        svg.empty(
            "rect",
            "class" to "rl-wait ${StateLook.ENQUEUED.look}",
            "x" to time.at(start),
            "y" to bottom - 3,
            "width" to max(time.at(end) - time.at(start), 2.0),
            "height" to 3.0,
        )
        val counts = changes.runningFold(0, Int::plus).drop(1).take(bins)
        svg.empty("path", "class" to "${Look.BAR} ${look.look}", "d" to profile(counts, row, bottom))
        failures.forEach { bin ->
            val x = row.x + (bin + 0.5) * BIN
            svg.empty("path", "class" to "rl-icon rl-failed", "d" to "M${number(x - 3)} ${number(row.y + 3)}l6 6m0 -6l-6 6")
        }
        return time.at(start)..time.at(end)
    }

    private fun profile(counts: List<Int>, row: Area, bottom: Double): String {
        val most = max(1, counts.max())
        val path = StringBuilder()
        var place = 0
        while (place < counts.size) {
            val count = counts[place]
            val from = place
            while (place < counts.size && counts[place] == count) {
                place++
            }
            if (count > 0) {
                val height = max(2.0, (row.height - 8) * count / most)
                path.append("M${number(row.x + from * BIN)} ${number(bottom)}")
                path.append("v${number(-height)}h${number((place - from) * BIN)}v${number(height)}z")
            }
        }
        return path.toString()
    }

    private companion object {
        const val BIN = 4.0
    }
}

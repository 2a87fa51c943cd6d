package io.runledger.console.picture

import io.runledger.console.picture.look.Look
import io.runledger.console.picture.look.Texture
import io.runledger.console.picture.scale.fullCount
import io.runledger.console.picture.scale.shownDuration
import io.runledger.console.picture.svg.Area
import io.runledger.console.picture.svg.Font
import io.runledger.console.picture.svg.SvgWriter
import io.runledger.console.picture.svg.number
import java.time.Duration
import kotlin.math.ln
import kotlin.math.max

/**
 * A chart of durations in buckets that grow, with marks for the 50th, 95th and 99th percentile.
 *
 * @param durations counts by bucket
 */
public class Histogram(private val durations: DurationCounts) {
    private val buckets = durations.counts.size

    /** Draws the chart as SVG. */
    @JvmOverloads
    public fun svg(options: PictureOptions = PictureOptions.DEFAULT): String {
        val width = (options.width ?: WIDTH).toDouble()
        val chart = ChartArea(width, HEIGHT, durations.counts.maxOfOrNull { it.toDouble() } ?: 0.0)
        val frame = Frame("rl-chart", "Durations", description(), width, HEIGHT)
        return frame.draw(options) {
            chart.axes(this)
            if (durations.total == 0L) {
                chart.empty(this, "No durations in this period.")
            } else {
                durations.counts.forEachIndexed { place, count -> bar(this, chart, place, count) }
                bounds(this, chart)
                marks(this, chart)
            }
            chart.baseLine(this)
        }
    }

    private fun bar(svg: SvgWriter, chart: ChartArea, place: Int, count: Long) {
        val left = chart.plot.x + chart.plot.width * place / buckets
        val wide = chart.plot.width / buckets
        val tall = if (count == 0L) 0.0 else max(chart.height(count.toDouble()), 2.0)
        svg.element("g") {
            svg.title(
                "${shownDuration(durations.bounds[place])} – ${shownDuration(durations.bounds[place + 1])}: ${fullCount(count)}",
            )
            svg.empty(
                "rect",
                "class" to "rl-hit",
                "x" to left,
                "y" to chart.plot.y,
                "width" to wide,
                "height" to chart.plot.height,
            )
            if (count > 0) {
                Texture.PLAIN.draw(svg, Area(left + 1, chart.plot.bottom - tall, wide - 2, tall), "rl-enqueued")
            }
        }
    }

    private fun bounds(svg: SvgWriter, chart: ChartArea) {
        var free = 0.0
        durations.bounds.forEachIndexed { place, bound ->
            val x = chart.plot.x + chart.plot.width * place / buckets
            val label = shownDuration(bound)
            val half = Font.DETAIL.widthOf(label) / 2
            if (x - half >= free) {
                chart.below(svg, x, label)
                free = x + half + 8
            }
        }
    }

    private fun marks(svg: SvgWriter, chart: ChartArea) {
        val marks = durations.percentiles.map { (name, at) ->
            "$name ${shownDuration(at)}" to
                chart.plot.x + share(at) * chart.plot.width
        }
        for ((label, x) in marks) {
            svg.element("g") {
                svg.title(label)
                svg.empty(
                    "path",
                    "class" to "rl-mark",
                    "stroke-dasharray" to "3 3",
                    "d" to "M${number(x)} ${number(TOP)}V${number(chart.plot.bottom)}",
                )
            }
        }
        // From right to left: a label that would reach the next one is a line below it.
        var next = Double.POSITIVE_INFINITY
        var row = 0
        for ((label, x) in marks.asReversed()) {
            val wide = Font.DETAIL.widthOf(label)
            val isBefore = x + GAP + wide > chart.plot.right + MARGIN
            val left = if (isBefore) x - GAP - wide else x + GAP
            row = if (left + wide + GAP > next) row + 1 else 0
            label(svg, label, left, wide, TOP + row * LINE)
            next = left
        }
    }

    private fun label(svg: SvgWriter, label: String, left: Double, wide: Double, y: Double) {
        svg.empty(
            "rect",
            "class" to "rl-background",
            "x" to left - 3,
            "y" to y - 10,
            "width" to wide + 6,
            "height" to LINE,
            "rx" to 2.0,
        )
        svg.label(label, left, y, "class" to Look.DETAIL)
    }

    /** The place of a duration on the axis, from 0 to 1: within a bucket by its logarithm. */
    private fun share(at: Duration): Double {
        val place = durations.bounds.indexOfLast { it <= at }.coerceIn(0, buckets - 1)
        val (low, high, value) = listOf(durations.bounds[place], durations.bounds[place + 1], at)
            .map { ln((it.seconds + it.nano / 1e9).coerceAtLeast(SHORTEST_SECONDS)) }
        return ((place + ((value - low) / (high - low)).coerceIn(0.0, 1.0)) / buckets).coerceIn(0.0, 1.0)
    }

    private fun description(): String = if (durations.total == 0L) {
        "No durations in this period."
    } else {
        "${fullCount(durations.total)} durations. " +
            durations.percentiles.entries.joinToString(", ") { "${it.key} ${shownDuration(it.value)}" }
    }

    private companion object {
        const val WIDTH = 720
        const val HEIGHT = 224.0
        const val TOP = 14.0
        const val LINE = 14.0
        const val GAP = 6.0
        const val MARGIN = 16.0
        const val SHORTEST_SECONDS = 1e-4
    }
}

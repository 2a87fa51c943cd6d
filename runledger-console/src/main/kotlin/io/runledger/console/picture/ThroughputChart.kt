package io.runledger.console.picture

import io.runledger.console.picture.look.Legend
import io.runledger.console.picture.scale.TimeScale
import io.runledger.console.picture.scale.fullCount
import io.runledger.console.picture.scale.shownTime
import io.runledger.console.picture.svg.Area
import io.runledger.console.picture.svg.Font
import io.runledger.console.picture.svg.SvgWriter
import io.runledger.console.picture.svg.shown
import java.time.Instant
import kotlin.math.ceil
import kotlin.math.max

/** A chart of stacked bars over time: what ended in each bucket, and how. */
public class ThroughputChart(private val bars: Bars) {
    /** Draws the chart as SVG. */
    @JvmOverloads
    public fun svg(options: PictureOptions = PictureOptions.DEFAULT): String {
        val width = (options.width ?: WIDTH).toDouble()
        val columns = columns(width)
        val most = columns.maxOfOrNull { it.total } ?: 0.0
        val chart = ChartArea(width, HEIGHT, most)
        val legend = Legend(legendItems(options), width - 2 * MARGIN)
        val frame = Frame("rl-chart", "Throughput", description(options), width, HEIGHT + legend.height)
        return frame.draw(options) {
            chart.axes(this)
            if (most == 0.0) {
                chart.empty(this, "Nothing ended in this period.")
            }
            if (columns.isNotEmpty()) {
                columns.forEachIndexed { place, column ->
                    draw(this, chart, column, slot(chart.plot, place, columns.size), options)
                }
                time(this, chart, options)
            }
            chart.baseLine(this)
            legend.draw(this, MARGIN, HEIGHT - 4)
        }
    }

    private fun slot(plot: Area, place: Int, count: Int) =
        Area(plot.x + plot.width * place / count, plot.y, plot.width / count, plot.height)

    private fun draw(svg: SvgWriter, chart: ChartArea, column: Column, slot: Area, options: PictureOptions) {
        svg.element("g") {
            svg.title(column.title(options))
            svg.empty("rect", "class" to "rl-hit", "x" to slot.x, "y" to slot.y, "width" to slot.width, "height" to slot.height)
            val gap = if (slot.width >= 6) {
                2.0
            } else if (slot.width >= 3) {
                1.0
            } else {
                0.0
            }
            var below = 0.0
            bars.series.forEachIndexed { place, series ->
                val count = column.counts[place]
                if (count > 0) {
                    val bottom = max(slot.bottom - chart.height(below), slot.y + SMALLEST)
                    // A single failure beside a million successes must be seen.
                    val height = max(chart.height(below + count) - chart.height(below), SMALLEST).coerceAtMost(bottom - slot.y)
                    val area = Area(slot.x + gap / 2, bottom - height, slot.width - gap, height)
                    val look = ToneLook.of(series.tone)
                    look.texture.draw(svg, area, look.look)
                }
                below += count
            }
        }
    }

    private fun time(svg: SvgWriter, chart: ChartArea, options: PictureOptions) {
        val scale = TimeScale(bars.from, end(bars.size), chart.plot.x, chart.plot.right)
        var free = 0.0
        for (tick in scale.ticks(options.zone, TICK_DISTANCE)) {
            val half = Font.DETAIL.widthOf(tick.label) / 2
            val x = scale.at(tick.at)
            if (x - half >= free && x + half <= chart.plot.right + MARGIN) {
                chart.below(svg, x, tick.label)
                free = x + half + 8
            }
        }
    }

    /** The buckets, or, if there are more of them than the width can show, several buckets together. */
    private fun columns(width: Double): List<Column> {
        val together = ceil(bars.size * THINNEST / width).toInt().coerceAtLeast(1)
        return (0 until bars.size step together).map { first ->
            val last = minOf(first + together, bars.size)
            Column(first, last, bars.series.map { series -> series.counts.subList(first, last).sumOf { it.toDouble() } })
        }
    }

    private fun end(bucket: Int): Instant = bars.from + bars.bucket.multipliedBy(bucket.toLong())

    private fun description(options: PictureOptions): String {
        if (bars.size == 0) {
            return "Nothing ended in this period."
        }
        val totals = bars.series.joinToString(", ") { series ->
            "${count(series.counts.sumOf { it.toDouble() })} ${shown(series.name)}"
        }
        return "From ${shownTime(bars.from, options.zone)} to ${shownTime(end(bars.size), options.zone)}: $totals."
    }

    private fun legendItems(options: PictureOptions): List<Legend.Item> = if (options.legend) {
        bars.series.map { series -> ToneLook.of(series.tone).let { Legend.bar(shown(series.name), it.look, it.texture) } }
    } else {
        emptyList()
    }

    private fun count(count: Double): String = fullCount(count.toLong())

    private inner class Column(private val first: Int, private val last: Int, val counts: List<Double>) {
        val total: Double = counts.sum()

        fun title(options: PictureOptions): String {
            val parts = bars.series.mapIndexed { place, series -> "${shown(series.name)}: ${count(counts[place])}" }
            return (
                listOf(
                    "${shownTime(end(first), options.zone)} – ${shownTime(end(last), options.zone)}",
                ) + parts
                ).joinToString("\n")
        }
    }

    private companion object {
        const val WIDTH = 720
        const val HEIGHT = 224.0
        const val MARGIN = 16.0
        const val TICK_DISTANCE = 88.0
        const val THINNEST = 3.0
        const val SMALLEST = 2.0
    }
}

package io.runledger.console.picture.time

import io.runledger.console.picture.look.Look
import io.runledger.console.picture.look.StateLook
import io.runledger.console.picture.scale.TimeScale
import io.runledger.console.picture.svg.Area
import io.runledger.console.picture.svg.Font
import io.runledger.console.picture.svg.SvgWriter
import io.runledger.console.picture.svg.cutInside
import io.runledger.console.picture.svg.hatch
import io.runledger.console.picture.svg.number
import java.time.Instant
import java.time.ZoneId
import kotlin.math.max

/** A row of a timeline: a label, and what happened. */
internal class GanttRow(
    val name: String,
    val head: StateLook,
    val href: String?,
    val sentence: String,
    val tooltip: String,
    val note: String?,
    val body: RowBody,
)

/** A part of the time in which nothing starts. */
internal class Band(val from: Instant, val to: Instant, val title: String)

/** The time axis, the rows and the bands of a timeline. */
internal class Gantt(
    private val rows: List<GanttRow>,
    private val bands: List<Band>,
    private val width: Double,
    private val rowHeight: Double = ROW,
) {
    val height: Double = HEADER + max(rows.size, 1) * rowHeight + FOOT

    fun scale(start: Instant, end: Instant) = TimeScale(start, end, chartLeft, width - RIGHT)

    /** Draws everything; [now] is null if nothing goes on. */
    fun draw(svg: SvgWriter, time: TimeScale, zone: ZoneId, now: Instant?) {
        rows.indices.filter { it % 2 == 1 }.forEach {
            svg.empty("rect", "class" to "rl-stripe", "x" to 0.0, "y" to top(it), "width" to width, "height" to rowHeight)
        }
        axis(svg, time, zone)
        bands.forEach { band(svg, time, it) }
        rows.forEachIndexed { place, row -> row(svg, time, row, top(place)) }
        now?.let { now(svg, time.at(it)) }
    }

    private fun top(row: Int) = HEADER + row * rowHeight

    private fun axis(svg: SvgWriter, time: TimeScale, zone: ZoneId) {
        var free = 0.0
        for (tick in time.ticks(zone, TICK_DISTANCE)) {
            val x = time.at(tick.at)
            svg.empty("path", "class" to Look.GRID, "d" to vertical(x, HEADER - 4, height - FOOT))
            val half = Font.DETAIL.widthOf(tick.label) / 2
            val middle = x.coerceAtMost(width - half - 2)
            if (middle - half >= free) {
                svg.label(tick.label, middle, HEADER - 12, "class" to Look.DETAIL, "text-anchor" to "middle")
                free = middle + half + 8
            }
        }
        svg.empty("path", "class" to Look.AXIS, "d" to "M${number(chartLeft)} ${number(HEADER)}H${number(width - RIGHT)}")
    }

    private fun band(svg: SvgWriter, time: TimeScale, band: Band) {
        val from = time.at(band.from)
        val area = Area(from, HEADER, max(time.at(band.to) - from, 2.0), height - FOOT - HEADER)
        svg.element("g") {
            svg.title(band.title)
            svg.empty("rect", "class" to "rl-pause", "x" to area.x, "y" to area.y, "width" to area.width, "height" to area.height)
            svg.empty("path", "class" to "rl-pause-hatch", "d" to hatch(area.copy(height = BAND_SIGN), 6.0))
        }
    }

    private fun row(svg: SvgWriter, time: TimeScale, row: GanttRow, y: Double) {
        svg.link(row.href, row.sentence, "class" to if (row.href == null) "rl-row" else "rl-row ${Look.LINK}") {
            svg.title(row.tooltip)
            svg.empty("rect", "class" to "rl-hit", "x" to 0.0, "y" to y, "width" to width, "height" to rowHeight)
            val middle = y + rowHeight / 2
            svg.icon(row.head.icon, 8.0, middle - 7, ICON, row.head.look)
            svg.label(cutInside(row.name, chartLeft - NAME - 12, Font.LABEL), NAME, middle + 4, "class" to Look.LABEL)
            val taken = row.body.draw(svg, time, Area(chartLeft, y, width - RIGHT - chartLeft, rowHeight))
            row.note?.let { note(svg, it, taken, middle + 4) }
        }
    }

    /** A text beside the bars: after them, or before them, or nowhere if there is no room. */
    private fun note(svg: SvgWriter, note: String, taken: ClosedFloatingPointRange<Double>, y: Double) {
        val wide = Font.DETAIL.widthOf(note)
        when {
            taken.endInclusive + BESIDE + wide <= width -> svg.label(note, taken.endInclusive + BESIDE, y, "class" to Look.DETAIL)

            taken.start - BESIDE - wide >= chartLeft ->
                svg.label(note, taken.start - BESIDE, y, "class" to Look.DETAIL, "text-anchor" to "end")
        }
    }

    private fun now(svg: SvgWriter, x: Double) {
        svg.element("g") {
            svg.title("now")
            svg.empty("path", "class" to "rl-now", "d" to vertical(x, HEADER, height - FOOT), "stroke-dasharray" to "3 3")
        }
    }

    private fun vertical(x: Double, from: Double, to: Double): String = "M${number(x)} ${number(from)}V${number(to)}"

    private val chartLeft: Double get() = if (width < NARROW) width / 4 else LABELS

    companion object {
        const val ROW = 24.0
        private const val HEADER = 32.0
        private const val FOOT = 8.0
        private const val LABELS = 224.0
        private const val NARROW = 640.0
        private const val RIGHT = 24.0
        private const val NAME = 28.0
        private const val ICON = 14.0
        private const val BESIDE = 8.0
        private const val TICK_DISTANCE = 88.0
        private const val BAND_SIGN = 12.0
    }
}

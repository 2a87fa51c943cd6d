package io.runledger.console.picture

import io.runledger.console.picture.look.Look
import io.runledger.console.picture.scale.CountScale
import io.runledger.console.picture.scale.shownCount
import io.runledger.console.picture.svg.Area
import io.runledger.console.picture.svg.SvgWriter
import io.runledger.console.picture.svg.number

/** The area of a chart with a vertical axis of counts. */
internal class ChartArea(width: Double, height: Double, most: Double) {
    val plot = Area(LEFT, TOP, width - LEFT - RIGHT, height - TOP - BOTTOM)
    private val scale = CountScale(most, TICKS)

    /** The height of a count above the bottom of the plot. */
    fun height(count: Double): Double = scale.share(count) * plot.height

    fun axes(svg: SvgWriter) {
        for (tick in scale.ticks) {
            val y = plot.bottom - height(tick)
            svg.empty("path", "class" to Look.GRID, "d" to "M${number(plot.x)} ${number(y)}h${number(plot.width)}")
            svg.label(shownCount(tick), plot.x - 8, y + 4, "class" to Look.DETAIL, "text-anchor" to "end")
        }
    }

    fun baseLine(svg: SvgWriter) {
        svg.empty("path", "class" to Look.AXIS, "d" to "M${number(plot.x)} ${number(plot.bottom)}h${number(plot.width)}")
    }

    /** A label below the plot. */
    fun below(svg: SvgWriter, x: Double, text: String) {
        svg.empty("path", "class" to Look.AXIS, "d" to "M${number(x)} ${number(plot.bottom)}v4")
        svg.label(text, x, plot.bottom + 18, "class" to Look.DETAIL, "text-anchor" to "middle")
    }

    /** The text of a chart that has nothing to show. */
    fun empty(svg: SvgWriter, text: String) {
        svg.label(text, plot.x + plot.width / 2, plot.y + plot.height / 2, "class" to Look.LABEL, "text-anchor" to "middle")
    }

    private companion object {
        const val LEFT = 56.0
        const val RIGHT = 24.0
        const val TOP = 16.0
        const val BOTTOM = 32.0
        const val TICKS = 5
    }
}

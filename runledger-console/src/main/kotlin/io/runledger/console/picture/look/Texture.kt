package io.runledger.console.picture.look

import io.runledger.console.picture.svg.Area
import io.runledger.console.picture.svg.SvgWriter
import io.runledger.console.picture.svg.hatch

/** How an area is filled, so that two areas differ without their colors. */
internal enum class Texture(private val risingEvery: Double?, private val fallingEvery: Double?) {
    PLAIN(null, null),
    LINES(5.0, null),
    CROSSED(5.0, 5.0),
    ;

    fun draw(svg: SvgWriter, area: Area, look: String) {
        svg.empty(
            "rect",
            "class" to "${Look.BAR} $look",
            "x" to area.x,
            "y" to area.y,
            "width" to area.width,
            "height" to area.height,
        )
        val lines = listOfNotNull(risingEvery?.let { hatch(area, it) }, fallingEvery?.let { hatch(area, it, isFalling = true) })
        if (lines.any { it.isNotEmpty() }) {
            svg.empty("path", "class" to Look.HATCH, "d" to lines.joinToString(""))
        }
    }
}

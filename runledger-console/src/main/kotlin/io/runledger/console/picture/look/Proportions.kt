package io.runledger.console.picture.look

import io.runledger.console.picture.svg.SvgWriter
import kotlin.math.max

/**
 * A bar that is divided by shares. A share above zero is always wide enough to be seen.
 *
 * @property parts class and amount of each part
 */
internal class Proportions(private val parts: List<Pair<String, Double>>) {
    fun draw(svg: SvgWriter, x: Double, y: Double, width: Double, height: Double) {
        svg.empty("rect", "class" to Look.TRACK, "x" to x, "y" to y, "width" to width, "height" to height, "rx" to height / 2)
        var at = x
        for ((look, part) in widths(width)) {
            if (part > 0) {
                svg.empty(
                    "rect",
                    "class" to "${Look.BAR} $look",
                    "x" to at,
                    "y" to y,
                    "width" to max(part - GAP, 1.0),
                    "height" to height,
                    "rx" to minOf(height / 2, part / 2, 2.0),
                )
                at += part
            }
        }
    }

    /** The classes and widths of the parts; together at most [width]. */
    fun widths(width: Double): List<Pair<String, Double>> {
        val total = parts.sumOf { it.second }
        if (total <= 0) {
            return parts.map { (look, _) -> look to 0.0 }
        }
        val wanted = parts.map { (look, amount) -> look to if (amount > 0) max(amount / total * width, SMALLEST) else 0.0 }
        val shrink = width / max(wanted.sumOf { it.second }, width)
        return wanted.map { (look, part) -> look to part * shrink }
    }

    private companion object {
        const val SMALLEST = 4.0
        const val GAP = 1.0
    }
}

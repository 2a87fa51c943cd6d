package io.runledger.console.picture.svg

import kotlin.math.ceil
import kotlin.math.max
import kotlin.math.min

/**
 * The path of slanted lines inside a rectangle. A pattern would need an id, which must be unique in a page with several pictures.
 *
 * @param spacing horizontal distance of the lines
 * @param isFalling whether the lines fall to the right; otherwise they rise
 */
internal fun hatch(area: Area, spacing: Double, isFalling: Boolean = false): String {
    val path = StringBuilder()
    // Line k: the points whose horizontal distance from the left edge, plus the height above the bottom, is k times the spacing.
    for (k in 1 until ceil((area.width + area.height) / spacing).toInt()) {
        val sum = k * spacing
        val from = max(0.0, sum - area.height)
        val to = min(area.width, sum)
        if (to > from) {
            path.append('M').append(number(area.x + from)).append(' ').append(number(area.height(sum - from, isFalling)))
            path.append('L').append(number(area.x + to)).append(' ').append(number(area.height(sum - to, isFalling)))
        }
    }
    return path.toString()
}

/** A rectangle. */
internal data class Area(val x: Double, val y: Double, val width: Double, val height: Double) {
    val right: Double get() = x + width
    val bottom: Double get() = y + height

    fun height(distance: Double, isFromBottom: Boolean): Double = if (isFromBottom) bottom - distance else y + distance
}

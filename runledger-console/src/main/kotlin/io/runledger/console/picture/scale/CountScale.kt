package io.runledger.console.picture.scale

import java.util.Locale
import kotlin.math.ceil
import kotlin.math.floor
import kotlin.math.log10
import kotlin.math.pow

/** A vertical axis from zero: its last tick is at least [most], and its ticks are 1, 2 or 5 times a power of ten apart. */
internal class CountScale(most: Double, mostTicks: Int) {
    private val step: Double = niceStep(most.coerceAtLeast(1.0) / mostTicks)
    val top: Double = ceil(most.coerceAtLeast(1.0) / step) * step
    val ticks: List<Double> = (0..(top / step).toInt()).map { it * step }

    /** The share of the axis that a count takes, from 0 to 1. */
    fun share(count: Double): Double = (count / top).coerceIn(0.0, 1.0)

    private companion object {
        // A count is a whole number, so no step is smaller than one.
        fun niceStep(rough: Double): Double {
            val power = 10.0.pow(floor(log10(rough)))
            val step = power * listOf(1.0, 2.0, 5.0, 10.0).first { it >= rough / power * (1 - 1e-9) }
            return step.coerceAtLeast(1.0)
        }
    }
}

/** A count of at most five characters: `950`, `1.2k`, `37.4k`, `250M`. */
internal fun shownCount(count: Double): String {
    val units = listOf(1e18 to "E", 1e15 to "P", 1e12 to "T", 1e9 to "G", 1e6 to "M", 1e3 to "k")
    val (size, unit) = units.firstOrNull { count >= it.first } ?: return "%.0f".format(Locale.ROOT, count)
    val scaled = floor(count / size * 10) / 10
    val isWhole = scaled >= 100 || scaled == floor(scaled)
    return (if (isWhole) "%.0f".format(Locale.ROOT, floor(scaled)) else "%.1f".format(Locale.ROOT, scaled)) + unit
}

/** A count with all digits: `1,204,000`. */
internal fun fullCount(count: Long): String = "%,d".format(Locale.ROOT, count)

package io.runledger.console.picture.svg

import kotlin.math.roundToLong

/** A coordinate with at most two decimals, written in the same way in every locale. */
internal fun number(value: Double): String {
    require(value.isFinite()) { "A coordinate is $value: it must be a finite number." }
    val hundredths = (value * 100).roundToLong()
    val sign = if (hundredths < 0) "-" else ""
    val rest = Math.abs(hundredths)
    val decimals = (rest % 100).toInt()
    return when {
        decimals == 0 -> "$sign${rest / 100}"
        decimals % 10 == 0 -> "$sign${rest / 100}.${decimals / 10}"
        else -> "$sign${rest / 100}.${decimals.toString().padStart(2, '0')}"
    }
}

package io.runledger.console.picture.scale

import java.time.Duration
import java.util.Locale

private const val MINUTE = 60L
private const val HOUR = 60 * MINUTE
private const val DAY = 24 * HOUR

/** A duration in its two largest units: `850 ms`, `3.4 s`, `5m 12s`, `3h 20m`, `12d 4h`. A negative duration counts as zero. */
internal fun shownDuration(duration: Duration): String {
    val seconds = duration.seconds
    val millis = if (duration.isNegative) {
        0
    } else if (seconds < MINUTE) {
        duration.toMillis()
    } else {
        Long.MAX_VALUE
    }
    return when {
        millis == 0L -> "0 ms"
        millis < 1_000 -> "$millis ms"
        millis < 10_000 -> "%.1f s".format(Locale.ROOT, millis / 100 / 10.0)
        seconds < MINUTE -> "$seconds s"
        seconds < HOUR -> two(seconds / MINUTE, "m", seconds % MINUTE, "s")
        seconds < DAY -> two(seconds / HOUR, "h", seconds % HOUR / MINUTE, "m")
        else -> two(seconds / DAY, "d", seconds % DAY / HOUR, "h")
    }
}

private fun two(large: Long, unit: String, small: Long, smallUnit: String): String =
    if (small == 0L) "$large$unit" else "$large$unit $small$smallUnit"

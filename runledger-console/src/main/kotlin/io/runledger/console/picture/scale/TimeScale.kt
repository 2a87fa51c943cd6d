package io.runledger.console.picture.scale

import java.time.Duration
import java.time.Instant
import java.time.ZoneId

/** A horizontal axis of time, from [start] at [left] to [end] at [right]. */
internal class TimeScale(val start: Instant, end: Instant, private val left: Double, private val right: Double) {
    val end: Instant = if (end.isAfter(start)) end else start.plusMillis(1)
    private val span: Double = seconds(Duration.between(start, this.end))

    /** The place of an instant; one outside the axis is at its edge. */
    fun at(instant: Instant): Double {
        val share = (seconds(Duration.between(start, instant)) / span).coerceIn(0.0, 1.0)
        return left + share * (right - left)
    }

    /** The ticks of the axis, at most one for each [distance] of its length. */
    fun ticks(zone: ZoneId, distance: Double): List<TimeTick> =
        timeTicks(start, end, ((right - left) / distance).toInt().coerceAtLeast(1), zone)

    private fun seconds(duration: Duration): Double = duration.seconds + duration.nano / 1e9
}

/** A tick with its label. */
internal data class TimeTick(val at: Instant, val label: String)

package io.runledger.console.picture.scale

import java.time.Duration
import java.time.Instant
import java.time.LocalDate
import java.time.ZoneId
import java.time.format.DateTimeFormatter
import java.time.temporal.ChronoUnit
import java.util.Locale

private val elapsedBelow = Duration.ofMinutes(2)
private val day = Duration.ofDays(1)
private val clock = DateTimeFormatter.ofPattern("HH:mm", Locale.ROOT)
private val clockWithSeconds = DateTimeFormatter.ofPattern("HH:mm:ss", Locale.ROOT)
private val date = DateTimeFormatter.ofPattern("MMM d", Locale.ENGLISH)
private val dateWithYear = DateTimeFormatter.ofPattern("MMM d, yyyy", Locale.ENGLISH)

private val steps: List<Duration> =
    listOf(1L, 2, 5, 10, 20, 50, 100, 200, 500).map { Duration.ofMillis(it) } +
        listOf(1L, 2, 5, 10, 15, 30).map { Duration.ofSeconds(it) } +
        listOf(1L, 2, 5, 10, 15, 30).map { Duration.ofMinutes(it) } +
        listOf(1L, 2, 3, 4, 6, 12).map { Duration.ofHours(it) } +
        listOf(1L, 2, 7, 14, 28, 56, 112, 364, 728, 1820, 3640).map { Duration.ofDays(it) }

/**
 * Ticks between two instants, at most [most] of them plus one. A short span has the time since its start: `0`, `200 ms`. A longer
 * one has clock times, and its first tick of each day has the date. A span of days has dates.
 */
internal fun timeTicks(start: Instant, end: Instant, most: Int, zone: ZoneId): List<TimeTick> {
    val span = Duration.between(start, end)
    val step = steps.firstOrNull { it.multipliedBy(most.toLong()) >= span } ?: span.dividedBy(most.toLong())
    return when {
        span < elapsedBelow -> elapsed(start, end, step)
        step < day -> clockTimes(start, end, step, zone)
        else -> dates(start, end, step.toDays(), zone)
    }
}

private fun elapsed(start: Instant, end: Instant, step: Duration): List<TimeTick> = generateSequence(Duration.ZERO) { it + step }
    .takeWhile { !(start + it).isAfter(end) }
    .map { TimeTick(start + it, if (it.isZero) "0" else "+" + shownDuration(it)) }
    .toList()

private fun clockTimes(start: Instant, end: Instant, step: Duration, zone: ZoneId): List<TimeTick> {
    val midnight = start.atZone(zone).truncatedTo(ChronoUnit.DAYS).toInstant()
    val passed = Duration.between(midnight, start).toMillis()
    val first = midnight.plusMillis((passed + step.toMillis() - 1) / step.toMillis() * step.toMillis())
    val format = if (step < Duration.ofMinutes(1)) clockWithSeconds else clock
    val ticks = mutableListOf<TimeTick>()
    var lastDay: LocalDate? = start.atZone(zone).toLocalDate()
    var at = first.let { if (it.isBefore(start)) it + step else it }
    while (!at.isAfter(end)) {
        val local = at.atZone(zone)
        val today = local.toLocalDate()
        ticks += TimeTick(at, if (today == lastDay) local.format(format) else local.format(date))
        lastDay = today
        at += step
    }
    return ticks
}

private fun dates(start: Instant, end: Instant, days: Long, zone: ZoneId): List<TimeTick> {
    val from = start.atZone(zone).toLocalDate()
    val format = if (from.year == end.atZone(zone).year) date else dateWithYear
    // From a fixed day, so that the ticks stay where they are while the axis grows: a Monday.
    val weeks = Math.floorMod(from.toEpochDay() - LocalDate.of(1970, 1, 5).toEpochDay(), days)
    return generateSequence(from.minusDays(weeks)) { it.plusDays(days) }
        .map { it to it.atStartOfDay(zone).toInstant() }
        .dropWhile { it.second.isBefore(start) }
        .takeWhile { !it.second.isAfter(end) }
        .map { (day, at) -> TimeTick(at, day.format(format)) }
        .toList()
}

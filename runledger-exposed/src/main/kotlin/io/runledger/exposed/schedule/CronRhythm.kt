package io.runledger.exposed.schedule

import java.time.Instant
import java.time.LocalDateTime
import java.time.ZoneId
import java.time.temporal.ChronoUnit

/**
 * A cron expression on the clocks of a zone. A time that the clocks skip fires once, at the instant they are put forward. A time
 * they show twice fires the first time only, unless the expression names every hour: then it means "all the time" and fires both
 * times, so that an hourly schedule does not pause for an hour in autumn.
 */
internal class CronRhythm(private val times: CronTimes, zone: ZoneId) : Rhythm {
    private val rules = zone.rules

    override fun next(after: Instant): Instant? {
        val offset = rules.getOffset(after)
        val local = LocalDateTime.ofEpochSecond(after.epochSecond, 0, offset).plusSeconds(1)
        val repeated = rules.getTransition(local)?.takeIf { it.isOverlap && it.offsetAfter == offset && !times.isEveryHour }
        return from(repeated?.dateTimeBefore ?: local, after.truncatedTo(ChronoUnit.SECONDS))
    }

    /** The first fire at or after [local], as the clocks show it from [since] on. */
    private tailrec fun from(local: LocalDateTime, since: Instant): Instant? {
        val time = times.atOrAfter(local) ?: return null
        val shift = rules.nextTransition(since)
        return when {
            shift == null || time < shift.dateTimeBefore -> time.toInstant(rules.getOffset(since))
            shift.isGap && time < shift.dateTimeAfter -> shift.instant
            shift.isOverlap && times.isEveryHour -> from(shift.dateTimeAfter, shift.instant)
            else -> from(time, shift.instant)
        }
    }
}

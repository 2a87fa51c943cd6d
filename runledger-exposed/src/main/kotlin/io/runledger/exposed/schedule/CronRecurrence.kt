package io.runledger.exposed.schedule

import java.time.Instant
import java.time.LocalDateTime
import java.time.ZoneId
import java.time.temporal.ChronoUnit

/**
 * A cron expression in a time zone. A local time that a clock change skips fires once, at the instant of the change. A local time
 * that occurs twice fires the first time only. If the expression matches every hour, it fires both times, so that an hourly
 * schedule does not pause for an hour in autumn.
 */
internal class CronRecurrence(private val times: CronTimes, zone: ZoneId) : Recurrence {
    private val rules = zone.rules

    override fun next(after: Instant): Instant? {
        val offset = rules.getOffset(after)
        val local = LocalDateTime.ofEpochSecond(after.epochSecond, 0, offset).plusSeconds(1)
        val repeated = rules.getTransition(local)?.takeIf { it.isOverlap && it.offsetAfter == offset && !times.isEveryHour }
        return from(repeated?.dateTimeBefore ?: local, after.truncatedTo(ChronoUnit.SECONDS))
    }

    /** The first fire at or after the local time [local], with the offset in force from [since] on. */
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

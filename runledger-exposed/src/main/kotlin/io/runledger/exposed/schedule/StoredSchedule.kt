package io.runledger.exposed.schedule

import io.runledger.exposed.context.LedgerContext
import io.runledger.exposed.json.headers
import io.runledger.exposed.sql.booleanOrNull
import io.runledger.exposed.sql.exception
import io.runledger.exposed.sql.instant
import io.runledger.exposed.sql.instantOrNull
import io.runledger.exposed.sql.intOrNull
import io.runledger.exposed.sql.isStorable
import io.runledger.exposed.sql.json
import io.runledger.exposed.sql.jsonOrNull
import io.runledger.exposed.sql.seconds
import io.runledger.exposed.sql.uuid
import io.runledger.exposed.sql.uuidOrNull
import io.runledger.exposed.sql.wire
import io.runledger.exposed.workflow.PlannedRun
import io.runledger.model.error.ErrorCode
import io.runledger.model.error.RunledgerException
import io.runledger.model.schedule.MisfirePolicy
import io.runledger.model.schedule.OverlapPolicy
import io.runledger.model.schedule.Schedule
import io.runledger.model.schedule.ScheduleKind
import io.runledger.model.text.Text
import io.runledger.model.value.HeaderSource
import java.sql.ResultSet
import java.time.DateTimeException
import java.time.Duration
import java.time.Instant
import java.time.ZoneId
import java.util.TreeSet

/** A stored schedule and its instants. */
internal class StoredSchedule(val schedule: Schedule) {
    val anchor: Instant get() = schedule.anchorAt()

    /** The first due instant: the deferred one, if there is one. */
    val firstDue: Instant get() = minOf(schedule.deferredFrom() ?: schedule.nextFireAt(), schedule.nextFireAt())

    /** The job types that must be enabled for the schedule to fire. */
    val jobTypes: List<String> get() = schedule.jobType()?.let(::listOf) ?: workflow()?.jobTypes.orEmpty()

    /** The workflow of the schedule, or null if it creates jobs. Throws if the stored workflow is damaged. */
    fun workflow(): ScheduledWorkflow? = schedule.workflowRequest()?.let { request ->
        readable { ScheduledWorkflow(schedule.workflowType()!!, request) }
    }

    /** The run for the fire at [instant]. [key] ensures that there is only one. */
    fun run(context: LedgerContext, instant: Instant, key: String): PlannedRun {
        val facts = mapOf(
            "schedule_id" to schedule.id().toString(),
            "schedule_name" to schedule.name(),
            "scheduled_for" to instant.toString(),
        )
        val request = readable { workflow()!!.request(schedule.organizationId(), key, facts, schedule.headers()) }
        return PlannedRun.of(request, context, fireHeaders(context))
    }

    /** The headers of the job or run of a fire: those of the schedule, and those that the client adds. */
    fun fireHeaders(context: LedgerContext): Map<String, String> =
        context.headers.enqueued(schedule.headers(), HeaderSource.Kind.FIRE, schedule.name())

    private fun <T> readable(read: () -> T): T = try {
        read()
    } catch (refused: RunledgerException) {
        throw refused
    } catch (damaged: RuntimeException) {
        throw ErrorCode.DB_RULE.exception(
            "The stored workflow of schedule ${Text.quoted(schedule.name())} cannot be read. Save the schedule again.",
            cause = damaged,
        )
    }

    /** The fires of the schedule, jitter included. Throws if the expression or the zone cannot be read. */
    fun recurrence(): JitteredRecurrence = JitteredRecurrence(bases(), schedule.id(), schedule.maxJitter())

    /** Decides the instants of the schedule. */
    val rhythm: List<Any?> get() = schedule.run { listOf(id(), cron(), interval(), timeZone(), maxJitter(), anchorAt()) }

    /**
     * The fires from [from] until before [until] in order, jitter included. If there are more than [most], at least one more than
     * that. An interval counts from its anchor in both directions.
     */
    fun firesBetween(from: Instant, until: Instant, most: Int): List<Instant> {
        // The delayed instants are looked for among all that can fall into the range.
        val before = from.minus(schedule.maxJitter()).minusNanos(1)
        val bases = bases(before)
        val jitter = JitteredRecurrence(bases, schedule.id(), schedule.maxJitter())
        val found = TreeSet<Instant>()
        var base = bases.next(before)
        while (base != null && base < until && found.size <= most) {
            val fire = jitter.delayed(base)
            if (fire >= from && fire < until) found += fire
            base = bases.next(base)
        }
        return found.toList()
    }

    /** The first fire after [now]. If there is none, the stored next fire. */
    fun nextAfter(now: Instant): Instant = recurrence().next(now) ?: schedule.nextFireAt()

    /**
     * The cursor while the schedule is paused from [now] on: an instant of the recurrence, not the next try of a deferred one. If
     * the recurrence has ended or cannot be read, the cursor is [now], so that a resume detects it.
     */
    fun cursorWhilePaused(now: Instant): Instant {
        if (schedule.deferredFrom() == null) return schedule.nextFireAt()
        return try {
            recurrence().next(now)?.takeIf { it.isStorable() } ?: now
        } catch (_: RuntimeException) {
            now
        }
    }

    /** Without jitter. If [since] is before the anchor of an interval, the intervals begin there. */
    private fun bases(since: Instant = anchor): Recurrence {
        requireValidNumbers()
        val interval = schedule.interval() ?: return CronRecurrence(CronTimes.parse(schedule.cron()!!), zone())
        if (since >= anchor) return IntervalRecurrence(anchor, interval)
        val intervals = Duration.between(since, anchor).seconds / interval.seconds + 1
        return IntervalRecurrence(anchor.minusSeconds(intervals * interval.seconds), interval)
    }

    /** The constraints of the schema exclude such numbers. If a constraint was dropped, the calculation would never end. */
    private fun requireValidNumbers() {
        val interval = schedule.interval()
        val isIntervalValid = if (interval == null) schedule.cron() != null else interval > Duration.ZERO
        if (isIntervalValid && !schedule.maxJitter().isNegative && schedule.misfireLimit() > 0) return
        throw ErrorCode.DB_RULE.exception(
            "The stored numbers of the schedule are out of range: interval $interval, jitter ${schedule.maxJitter()}, misfire " +
                "limit ${schedule.misfireLimit()}. Save the schedule again.",
        )
    }

    private fun zone(): ZoneId = try {
        ZoneId.of(schedule.timeZone())
    } catch (unknown: DateTimeException) {
        throw ErrorCode.INVALID_TIME_ZONE.exception(
            "This JVM does not know the time zone ${Text.quoted(schedule.timeZone())}: update the zone data of the JVM, or " +
                "save the schedule with another zone.",
            cause = unknown,
        )
    }
}

internal fun ResultSet.storedSchedule() = StoredSchedule(schedule())

internal fun ResultSet.schedule() = Schedule(
    uuid("id"),
    getString("name"),
    wire<ScheduleKind>("kind"),
    getString("job_type"),
    getString("workflow_type"),
    jsonOrNull("workflow_request"),
    uuidOrNull("organization_id"),
    getString("cron_expr"),
    intOrNull("interval_seconds")?.let { Duration.ofSeconds(it.toLong()) },
    getString("timezone"),
    seconds("max_jitter_seconds"),
    wire<MisfirePolicy>("misfire_policy"),
    getInt("misfire_limit"),
    wire<OverlapPolicy>("overlap_policy"),
    getInt("version"),
    getBoolean("is_active"),
    booleanOrNull("declared_is_active"),
    json("payload_template"),
    headers(),
    instant("next_fire_at"),
    instantOrNull("deferred_from"),
    instantOrNull("last_fired_at"),
    uuidOrNull("last_job_id"),
    uuidOrNull("last_run_id"),
    uuidOrNull("poll_id"),
    instantOrNull("poll_until"),
    instant("anchor_at"),
    uuidOrNull("created_by_user_id"),
    instant("created_at"),
    instant("updated_at"),
)

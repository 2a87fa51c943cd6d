package io.runledger.exposed.schedule

import io.runledger.exposed.LedgerContext
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
import io.runledger.model.id.Text
import io.runledger.model.state.MisfirePolicy
import io.runledger.model.state.OverlapPolicy
import io.runledger.model.state.Schedule
import io.runledger.model.state.ScheduleKind
import java.sql.ResultSet
import java.time.DateTimeException
import java.time.Duration
import java.time.Instant
import java.time.ZoneId

/** A schedule as it is stored, with the instants it asks for. */
internal class StoredSchedule(val schedule: Schedule) {
    val anchor: Instant get() = schedule.anchorAt()

    /** Its first due instant: the one that could not fire yet, if there is one. */
    val firstDue: Instant get() = minOf(schedule.deferredFrom() ?: schedule.nextFireAt(), schedule.nextFireAt())

    /** The types that must be enabled for it to fire. */
    val jobTypes: List<String> get() = schedule.jobType()?.let(::listOf) ?: workflow()?.jobTypes.orEmpty()

    /** What it starts, if it starts workflows; refused when somebody damaged it. */
    fun workflow(): ScheduledWorkflow? = schedule.workflowRequest()?.let { request ->
        readable { ScheduledWorkflow(schedule.workflowType()!!, request) }
    }

    /** A run for the fire at [instant], which [key] makes the only one. */
    fun run(context: LedgerContext, instant: Instant, key: String): PlannedRun {
        val facts = mapOf(
            "schedule_id" to schedule.id().toString(),
            "schedule_name" to schedule.name(),
            "scheduled_for" to instant.toString(),
        )
        return PlannedRun.of(readable { workflow()!!.request(schedule.organizationId(), key, facts) }, context)
    }

    private fun <T> readable(read: () -> T): T = try {
        read()
    } catch (refused: RunledgerException) {
        throw refused
    } catch (damaged: RuntimeException) {
        throw ErrorCode.DB_RULE.exception(
            "The stored workflow of schedule ${Text.quoted(schedule.name())} cannot be read: save the schedule anew.",
            cause = damaged,
        )
    }

    /** Its fires, jitter included. Refuses an expression or a zone that cannot be read. */
    fun rhythm(): JitteredRhythm = JitteredRhythm(bases(), schedule.id(), schedule.maxJitter())

    /** The first fire after [now]; a rhythm at its end keeps its last. */
    fun nextAfter(now: Instant): Instant = rhythm().next(now) ?: schedule.nextFireAt()

    /**
     * Where its cursor rests from [now] on while it is paused: at an instant of its own, and not at the next try of one that
     * waited. One whose rhythm has an end or cannot be read rests where a resume finds that out.
     */
    fun restingAt(now: Instant): Instant {
        if (schedule.deferredFrom() == null) return schedule.nextFireAt()
        return try {
            rhythm().next(now)?.takeIf { it.isStorable() } ?: now
        } catch (_: RuntimeException) {
            now
        }
    }

    private fun bases(): Rhythm {
        requireSound()
        val interval = schedule.interval() ?: return CronRhythm(CronTimes.parse(schedule.cron()!!), zone())
        return IntervalRhythm(anchor, interval)
    }

    /** The schema's rules forbid such numbers, unless somebody lifted them. With them there would be no end of reckoning. */
    private fun requireSound() {
        val interval = schedule.interval()
        val isIntervalSound = if (interval == null) schedule.cron() != null else interval > Duration.ZERO
        if (isIntervalSound && !schedule.maxJitter().isNegative && schedule.misfireLimit() > 0) return
        throw ErrorCode.DB_RULE.exception(
            "The stored numbers of the schedule cannot be: interval $interval, jitter ${schedule.maxJitter()}, misfire limit " +
                "${schedule.misfireLimit()}. Save the schedule anew.",
        )
    }

    private fun zone(): ZoneId = try {
        ZoneId.of(schedule.timeZone())
    } catch (unknown: DateTimeException) {
        throw ErrorCode.INVALID_TIME_ZONE.exception(
            "This JVM does not know the time zone ${Text.quoted(schedule.timeZone())}: update its zone data or save another.",
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

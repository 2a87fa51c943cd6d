package io.runledger.exposed.schedule

import io.runledger.exposed.sql.Binder
import io.runledger.exposed.sql.sparse
import io.runledger.model.json.Json
import io.runledger.model.schedule.ScheduleKind
import io.runledger.model.schedule.ScheduleRequest
import io.runledger.model.value.UuidV7
import java.time.Instant
import java.time.temporal.ChronoUnit
import java.util.UUID

/** The work of a schedule, encoded: the payload of its jobs, or the workflow that it starts; and the headers of both. */
internal class ScheduledWork(val payload: Json, val workflow: Json?, val headers: Json?)

/** A row to be written: a request and the values that the ledger adds to it. */
internal class ScheduleDraft(
    val id: UUID,
    val request: ScheduleRequest,
    val work: ScheduledWork,
    val isActive: Boolean,
    val nextFireAt: Instant,
    val anchor: Instant,
    val declaredActive: Boolean? = null,
) {
    /**
     * The row that replaces [stored]. If the recurrence is the same, the cursor is kept. An operator's pause or resume is always
     * kept.
     */
    fun overwriting(stored: StoredSchedule, appliesActive: Boolean, now: Instant): ScheduleDraft {
        val before = stored.schedule
        val isSameRecurrence = before.cron() == request.cron() && before.interval() == request.interval() &&
            before.timeZone() == request.zone().id
        val isActive = if (appliesActive && before.declaredActive() == null) request.active() else before.active()
        val declared = before.declaredActive()?.let { if (appliesActive) request.active() else it }
        val isResumed = isActive && !before.active() && before.nextFireAt() <= now
        return when {
            !isSameRecurrence -> of(before.id(), request, work, isActive, now, declared)
            !isActive && before.active() -> at(stored, stored.cursorWhilePaused(now), isActive, declared)
            isResumed -> at(stored, stored.nextAfter(now), isActive, declared)
            else -> at(stored, before.nextFireAt(), isActive, declared)
        }
    }

    private fun at(stored: StoredSchedule, nextFireAt: Instant, isActive: Boolean, declared: Boolean?) =
        ScheduleDraft(stored.schedule.id(), request, work, isActive, nextFireAt, stored.anchor, declared)

    companion object {
        fun of(request: ScheduleRequest, work: ScheduledWork, now: Instant) =
            of(UuidV7.next(), request, work, request.active(), now)

        private fun of(
            id: UUID,
            request: ScheduleRequest,
            work: ScheduledWork,
            isActive: Boolean,
            now: Instant,
            declared: Boolean? = null,
        ): ScheduleDraft {
            val start = ScheduleStart.of(request, now)
            val nextFireAt = JitteredRecurrence(start.recurrence, id, request.maxJitter()).delayed(start.firstFire)
            return ScheduleDraft(id, request, work, isActive, nextFireAt, start.anchor, declared)
        }
    }
}

/** The first fire of a request, without jitter. */
internal class ScheduleStart private constructor(val recurrence: Recurrence, val firstFire: Instant, val anchor: Instant) {
    companion object {
        /** Throws if the cron expression cannot be read, or if it has no instant after [now]. */
        fun of(request: ScheduleRequest, now: Instant): ScheduleStart {
            val given = request.firstFireAt()?.truncatedTo(ChronoUnit.MICROS)
            val anchor = given ?: now.truncatedTo(ChronoUnit.SECONDS)
            val recurrence = request.interval()?.let { IntervalRecurrence(anchor, it) }
                ?: CronRecurrence(CronTimes.parse(request.cron()!!), request.zone())
            val next = recurrence.next(now) ?: throw CronTimes.invalid(request.cron()!!, "it has no instant in the future")
            return ScheduleStart(recurrence, given ?: next, anchor)
        }
    }
}

internal fun Binder.drafts(drafts: List<ScheduleDraft>) {
    val requests = drafts.map { it.request }
    uuids("ids", drafts.map { it.id })
    texts("names", requests.map { it.name() })
    texts("job_types", requests.map { it.jobType() })
    uuids("organization_ids", requests.map { it.organizationId() })
    jsons("payload_templates", drafts.map { it.work.payload })
    texts("cron_exprs", requests.map { it.cron() })
    ints("interval_seconds", requests.map { it.interval()?.toSeconds()?.toInt() })
    texts("timezones", requests.map { it.zone().id })
    ints("max_jitter_seconds", requests.map { it.maxJitter().toSeconds().toInt() })
    wires("misfire_policies", requests.map { it.misfirePolicy() })
    ints("misfire_limits", requests.map { it.misfireLimit() })
    wires("overlap_policies", requests.map { it.overlapPolicy() })
    texts("is_active", drafts.map { it.isActive.toString() })
    instants("next_fire_at", drafts.map { it.nextFireAt })
    instants("anchor_at", drafts.map { it.anchor })
    wires("kinds", requests.map { if (it.workflow() == null) ScheduleKind.JOB else ScheduleKind.WORKFLOW })
    texts("workflow_types", requests.map { it.workflow()?.type() })
    jsons("workflow_requests", drafts.map { it.work.workflow })
    ints("versions", requests.map { it.version() })
    jsons("headers", drafts.sparse { it.work.headers })
}

package io.runledger.exposed.schedule

import io.runledger.exposed.sql.Binder
import io.runledger.model.id.UuidV7
import io.runledger.model.json.Json
import io.runledger.model.spec.ScheduleRequest
import io.runledger.model.state.ScheduleKind
import java.time.Instant
import java.time.temporal.ChronoUnit
import java.util.UUID

/** What a schedule does, encoded: the payload of its jobs, or the workflow that it starts. */
internal class ScheduledWork(val payload: Json, val workflow: Json?)

/** A row to be written: a request, and what the ledger adds to it. */
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
     * The row for a schedule that exists: its cursor stays unless the rhythm is another one, and so does an operator's pause or
     * resume.
     */
    fun over(stored: StoredSchedule, appliesActive: Boolean, now: Instant): ScheduleDraft {
        val before = stored.schedule
        val isSameRhythm = before.cron() == request.cron() && before.interval() == request.interval() &&
            before.timeZone() == request.zone().id
        val isActive = if (appliesActive && before.declaredActive() == null) request.active() else before.active()
        val declared = before.declaredActive()?.let { if (appliesActive) request.active() else it }
        val isWoken = isActive && !before.active() && before.nextFireAt() <= now
        return when {
            !isSameRhythm -> of(before.id(), request, work, isActive, now, declared)
            !isActive && before.active() -> at(stored, stored.restingAt(now), isActive, declared)
            isWoken -> at(stored, stored.nextAfter(now), isActive, declared)
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
            val nextFireAt = JitteredRhythm(start.rhythm, id, request.maxJitter()).delayed(start.firstFire)
            return ScheduleDraft(id, request, work, isActive, nextFireAt, start.anchor, declared)
        }
    }
}

/** How a request's fires begin, before any jitter. */
internal class ScheduleStart private constructor(val rhythm: Rhythm, val firstFire: Instant, val anchor: Instant) {
    companion object {
        /** Refuses a cron expression that cannot be read, and one that has no instant after [now]. */
        fun of(request: ScheduleRequest, now: Instant): ScheduleStart {
            val given = request.firstFireAt()?.truncatedTo(ChronoUnit.MICROS)
            val anchor = given ?: now.truncatedTo(ChronoUnit.SECONDS)
            val rhythm = request.interval()?.let { IntervalRhythm(anchor, it) }
                ?: CronRhythm(CronTimes.parse(request.cron()!!), request.zone())
            val next = rhythm.next(now) ?: throw CronTimes.invalid(request.cron()!!, "no instant it names lies in the future")
            return ScheduleStart(rhythm, given ?: next, anchor)
        }
    }
}

internal fun Binder.drafts(drafts: List<ScheduleDraft>) {
    val requests = drafts.map { it.request }
    uuids(drafts.map { it.id })
    texts(requests.map { it.name() })
    texts(requests.map { it.jobType() })
    uuids(requests.map { it.organizationId() })
    jsons(drafts.map { it.work.payload })
    texts(requests.map { it.cron() })
    ints(requests.map { it.interval()?.toSeconds()?.toInt() })
    texts(requests.map { it.zone().id })
    ints(requests.map { it.maxJitter().toSeconds().toInt() })
    wires(requests.map { it.misfirePolicy() })
    ints(requests.map { it.misfireLimit() })
    wires(requests.map { it.overlapPolicy() })
    texts(drafts.map { it.isActive.toString() })
    instants(drafts.map { it.nextFireAt })
    instants(drafts.map { it.anchor })
    wires(requests.map { if (it.workflow() == null) ScheduleKind.JOB else ScheduleKind.WORKFLOW })
    texts(requests.map { it.workflow()?.type() })
    jsons(drafts.map { it.work.workflow })
    ints(requests.map { it.version() })
}

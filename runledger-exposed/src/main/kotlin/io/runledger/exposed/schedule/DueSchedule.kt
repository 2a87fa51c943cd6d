package io.runledger.exposed.schedule

import io.runledger.exposed.sql.instant
import io.runledger.exposed.sql.uuid
import io.runledger.model.error.RunledgerException
import io.runledger.model.schedule.DeferredSchedule
import io.runledger.model.schedule.FireOutcome
import io.runledger.model.schedule.ScheduleKind
import java.sql.ResultSet
import java.time.Instant
import java.time.temporal.ChronoUnit
import java.util.UUID

/** A schedule that is due and locked. An unreadable schedule must not prevent the others from firing. */
internal class DueSchedule(
    val id: UUID,
    val name: String,
    val jobType: String?,
    val stored: Result<StoredSchedule>,
    val now: Instant,
    val isLastLive: Boolean,
    val handled: Set<Instant>,
) {
    val kind: ScheduleKind? get() = stored.getOrNull()?.schedule?.kind()

    fun deferred(refusal: RunledgerException, until: Instant) =
        DeferredSchedule(id, name, refusal.code(), refusal.message.orEmpty(), until)
}

internal fun ResultSet.dueSchedule() = DueSchedule(
    uuid("id"),
    getString("name"),
    getString("job_type"),
    runCatching { storedSchedule() },
    instant("database_now"),
    getBoolean("is_last_live"),
    (getArray("handled")?.array as Array<*>?).orEmpty()
        .mapTo(HashSet()) { Instant.EPOCH.plus(it as Long, ChronoUnit.MICROS) },
)

/**
 * The rows that a pass will write for a due schedule: its plan, or the reason for having none, the started runs, and the headers
 * of its jobs.
 */
internal class PlannedFires(
    val due: DueSchedule,
    val plan: Result<FirePlan>,
    val runs: Map<Instant, UUID> = emptyMap(),
    val headers: Map<Instant, Map<String, String>> = emptyMap(),
) {
    val refusal: RunledgerException? get() = plan.exceptionOrNull() as RunledgerException?

    val instants: List<PlannedInstant> get() = plan.getOrNull()?.instants.orEmpty()

    val startsRuns: Boolean get() = due.kind == ScheduleKind.WORKFLOW && instants.any { it.outcome == FireOutcome.FIRED }

    fun with(headers: Map<Instant, Map<String, String>>) = PlannedFires(due, plan, runs, headers)

    fun refused(refusal: RunledgerException) = PlannedFires(due, Result.failure(refusal))
}

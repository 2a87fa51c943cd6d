package io.runledger.exposed.schedule

import io.runledger.exposed.sql.instant
import io.runledger.exposed.sql.uuid
import io.runledger.model.error.RunledgerException
import io.runledger.model.state.DeferredSchedule
import io.runledger.model.state.FireOutcome
import io.runledger.model.state.ScheduleKind
import java.sql.ResultSet
import java.time.Instant
import java.time.temporal.ChronoUnit
import java.util.UUID

/** A schedule that is due and locked. One that cannot be read must not keep the others from firing. */
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

/** What a pass is going to write of a due schedule: its plan, or why there is none, and the runs that it started. */
internal class PlannedFires(val due: DueSchedule, val plan: Result<FirePlan>, val runs: Map<Instant, UUID> = emptyMap()) {
    val refusal: RunledgerException? get() = plan.exceptionOrNull() as RunledgerException?

    val instants: List<PlannedInstant> get() = plan.getOrNull()?.instants.orEmpty()

    val startsRuns: Boolean get() = due.kind == ScheduleKind.WORKFLOW && instants.any { it.outcome == FireOutcome.FIRED }

    fun refused(refusal: RunledgerException) = PlannedFires(due, Result.failure(refusal))
}

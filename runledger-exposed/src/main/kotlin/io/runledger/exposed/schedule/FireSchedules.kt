package io.runledger.exposed.schedule

import io.runledger.exposed.LedgerContext
import io.runledger.exposed.sql.Binder
import io.runledger.exposed.sql.exception
import io.runledger.exposed.sql.instant
import io.runledger.exposed.sql.instantOrNull
import io.runledger.exposed.sql.rows
import io.runledger.exposed.sql.uuid
import io.runledger.exposed.sql.uuidOrNull
import io.runledger.exposed.sql.wire
import io.runledger.model.error.ErrorCode
import io.runledger.model.error.RunledgerException
import io.runledger.model.id.Text
import io.runledger.model.id.UuidV7
import io.runledger.model.state.DeferredSchedule
import io.runledger.model.state.FireOutcome
import io.runledger.model.state.Schedule
import io.runledger.model.state.ScheduleFire
import io.runledger.model.state.SchedulePass
import java.sql.Connection
import java.sql.ResultSet
import java.time.Duration
import java.time.Instant
import java.util.UUID

/** One pass over the due schedules: a statement that locks them, the cron reckoning, a statement that writes everything. */
internal class FireSchedules(private val context: LedgerContext) {
    fun fire(limit: Int): SchedulePass {
        if (limit !in 1..MAX_LIMIT) {
            throw ErrorCode.INVALID_ARGUMENT.exception("limit is $limit: a pass takes 1 to $MAX_LIMIT schedules.")
        }
        return context.transactions.run { connection ->
            val due = connection.rows(context.statements["schedule_due"], { int(limit) }) { due() }
            if (due.isEmpty()) SchedulePass(0, emptyList(), emptyList(), emptyList()) else write(connection, due)
        }
    }

    private fun write(connection: Connection, due: List<Due>): SchedulePass {
        val until = due.maxOf { it.now }.plus(DEFERRAL)
        val plans = due.map { it to plan(it) }
        val written = connection.rows(context.statements["schedule_fire"], { bind(plans, until) }) { written() }
            .groupBy { it.scheduleId }
        val fires = plans.flatMap { (due, _) -> written.getValue(due.id).mapNotNull { it.fire }.sortedBy { it.scheduledFor() } }
        val deferred = plans.mapNotNull { (due, plan) ->
            refusal(due, plan, written.getValue(due.id))?.let { due.deferred(it, until) }
        }
        val ended = written.values.filter { it.first().isEnded }.map { it.first().name }
        return SchedulePass(due.size, fires, deferred, ended)
    }

    private fun plan(due: Due): Result<FirePlan> = try {
        val stored = due.stored.getOrThrow()
        Result.success(FirePlan.of(stored.schedule, stored.rhythm(), due.now, due.isLastJobLive).also(::requireStorable))
    } catch (refused: RunledgerException) {
        Result.failure(refused)
    } catch (unreckonable: RuntimeException) {
        Result.failure(unreckonable(unreckonable))
    }

    private fun requireStorable(plan: FirePlan) {
        val instants = plan.instants.map { it.scheduledFor } + listOfNotNull(plan.next)
        if (instants.any { it < EARLIEST || it >= TOO_LATE }) throw unreckonable(null)
    }

    private fun unreckonable(cause: RuntimeException?) = ErrorCode.DB_RULE.exception(
        "The stored times or numbers of the schedule cannot be reckoned with: save the schedule anew.",
        cause?.toString(),
        cause,
    )

    private fun refusal(due: Due, plan: Result<FirePlan>, written: List<Written>): RunledgerException? {
        val unreadable = plan.exceptionOrNull() as RunledgerException?
        return unreadable ?: if (written.first().isDefined) null else unavailableDefinition(due.name, due.jobType)
    }

    private fun Binder.bind(plans: List<Pair<Due, Result<FirePlan>>>, until: Instant) {
        val instants = plans.flatMap { (due, plan) -> plan.getOrNull()?.instants.orEmpty().map { due.id to it } }
        uuids(instants.map { it.first })
        instants(instants.map { it.second.scheduledFor })
        texts(instants.map { it.second.scheduledFor.toString() })
        wires(instants.map { it.second.outcome })
        uuids(instants.map { (_, instant) -> UuidV7.next().takeIf { instant.outcome == FireOutcome.FIRED } })
        uuids(plans.map { it.first.id })
        instants(plans.map { (_, plan) -> plan.fold({ it.next }, { until }) })
        instant(until)
        instant(plans.first().first.now)
        instant(plans.first().first.now)
    }

    /** A schedule that cannot be read must not keep the others from firing. */
    private fun ResultSet.due(): Due {
        val stored = runCatching { storedSchedule() }
        val isLastJobLive = getBoolean("is_last_job_live")
        return Due(uuid("id"), getString("name"), getString("job_type"), stored, instant("database_now"), isLastJobLive)
    }

    private fun ResultSet.written(): Written {
        val fire = instantOrNull("scheduled_for")?.let {
            ScheduleFire(uuid("schedule_id"), it, instant("fired_at"), wire<FireOutcome>("outcome"), uuidOrNull("job_id"))
        }
        return Written(uuid("schedule_id"), getString("name"), getBoolean("is_defined"), !getBoolean("is_active"), fire)
    }

    private class Due(
        val id: UUID,
        val name: String,
        val jobType: String,
        val stored: Result<StoredSchedule>,
        val now: Instant,
        val isLastJobLive: Boolean,
    ) {
        fun deferred(refusal: RunledgerException, until: Instant) =
            DeferredSchedule(id, name, refusal.code(), refusal.message.orEmpty(), until)
    }

    private class Written(
        val scheduleId: UUID,
        val name: String,
        val isDefined: Boolean,
        val isEnded: Boolean,
        val fire: ScheduleFire?,
    )

    private companion object {
        const val MAX_LIMIT = 1_000
        val DEFERRAL: Duration = Duration.ofSeconds(30)

        /** What a timestamp of PostgreSQL can hold. */
        val EARLIEST: Instant = Instant.parse("-4713-11-24T00:00:00Z")
        val TOO_LATE: Instant = Instant.parse("+294277-01-01T00:00:00Z")
    }
}

internal fun unavailableDefinition(schedule: Schedule) = unavailableDefinition(schedule.name(), schedule.jobType())

internal fun unavailableDefinition(name: String, jobType: String) = ErrorCode.SCHEDULE_DEFINITION_UNAVAILABLE.exception(
    "Schedule ${Text.quoted(name)} makes jobs of type ${Text.quoted(jobType)}, which is not defined or is disabled: " +
        "define or enable " +
        "the type, or pause the schedule.",
)

package io.runledger.exposed.schedule

import io.runledger.exposed.LedgerContext
import io.runledger.exposed.sql.Binder
import io.runledger.exposed.sql.LockWait
import io.runledger.exposed.sql.exception
import io.runledger.exposed.sql.isAboutARow
import io.runledger.exposed.sql.isHeldElsewhere
import io.runledger.exposed.sql.isStorable
import io.runledger.exposed.sql.rows
import io.runledger.exposed.sql.uuid
import io.runledger.model.error.ErrorCode
import io.runledger.model.error.RunledgerException
import io.runledger.model.id.Text
import io.runledger.model.id.UuidV7
import io.runledger.model.state.FireOutcome
import io.runledger.model.state.ScheduleFire
import io.runledger.model.state.ScheduleKind
import io.runledger.model.state.SchedulePass
import java.sql.Connection
import java.sql.ResultSet
import java.time.Duration
import java.time.Instant
import java.util.UUID

/**
 * One pass over the due schedules: a statement that locks them, the cron reckoning, a statement that writes everything; between
 * them four more when workflows are started. When the database refuses a row, or another session holds one, it goes on schedule
 * by schedule.
 */
internal class FireSchedules(private val context: LedgerContext) {
    private val runs = StartScheduledRuns(context)

    fun fire(limit: Int): SchedulePass {
        if (limit !in 1..MAX_LIMIT) {
            throw ErrorCode.INVALID_ARGUMENT.exception("limit is $limit: a pass takes 1 to $MAX_LIMIT schedules.")
        }
        return try {
            pass(limit, null, ::plan)
        } catch (refusal: RunledgerException) {
            if (!refusal.isAboutARow() && !refusal.isHeldElsewhere) throw refusal
            FireEach(context, ::fireOne).fire(limit)
        }
    }

    /** Fires one schedule, if it is due, or defers it because of [refusal]. */
    private fun fireOne(schedule: UUID, refusal: RunledgerException?): SchedulePass =
        pass(1, schedule) { if (refusal == null) plan(it) else Result.failure(refusal) }

    private fun pass(limit: Int, only: UUID?, plan: (DueSchedule) -> Result<FirePlan>): SchedulePass =
        context.transactions.runBriefly(if (only == null) LockWait.TOGETHER else LockWait.ONE_BY_ONE) { connection ->
            val due = connection.rows(
                context.statements["schedule_due"],
                {
                    repeat(2) { uuid(only) }
                    int(limit)
                },
            ) { dueSchedule() }
            if (due.isEmpty()) nothingDue else write(connection, due, plan)
        }

    private fun write(connection: Connection, due: List<DueSchedule>, plan: (DueSchedule) -> Result<FirePlan>): SchedulePass {
        val until = due.maxOf { it.now }.plus(DEFERRAL)
        val plans = runs.start(connection, due.map { PlannedFires(it, plan(it)) })
        val written = connection.rows(context.statements["schedule_fire"], { bind(plans, until) }) { written() }
            .groupBy { it.scheduleId }
        val fires = due.flatMap { written.getValue(it.id).mapNotNull { row -> row.fire }.sortedBy(ScheduleFire::scheduledFor) }
        val deferred = plans.mapNotNull { plan ->
            refusal(plan, written.getValue(plan.due.id))?.let { plan.due.deferred(it, until) }
        }
        val ended = written.values.filter { it.first().isEnded }.map { it.first().name }
        return SchedulePass(due.size, fires, deferred, ended)
    }

    private fun plan(due: DueSchedule): Result<FirePlan> = try {
        val stored = due.stored.getOrThrow()
        val plan = FirePlan.of(stored.schedule, stored.rhythm(), due.now, due.isLastLive)
        Result.success(plan.without(due.handled).also(::requireStorable))
    } catch (refused: RunledgerException) {
        Result.failure(refused)
    } catch (unreckonable: RuntimeException) {
        Result.failure(unreckonable(unreckonable))
    }

    private fun requireStorable(plan: FirePlan) {
        val instants = plan.instants.map { it.scheduledFor } + listOfNotNull(plan.next)
        if (!instants.all { it.isStorable() }) throw unreckonable(null)
    }

    private fun unreckonable(cause: RuntimeException?) = ErrorCode.DB_RULE.exception(
        "The stored times or numbers of the schedule cannot be reckoned with: save the schedule anew.",
        cause?.toString(),
        cause,
    )

    private fun refusal(plan: PlannedFires, written: List<Written>): RunledgerException? =
        plan.refusal ?: if (written.first().isDefined) null else unavailableDefinition(plan.due.name, plan.due.jobType.orEmpty())

    private fun Binder.bind(plans: List<PlannedFires>, until: Instant) {
        val instants = plans.flatMap { plan -> plan.instants.map { plan to it } }
        uuids(instants.map { (plan, _) -> plan.due.id })
        instants(instants.map { (_, instant) -> instant.scheduledFor })
        texts(instants.map { (_, instant) -> instant.scheduledFor.toString() })
        wires(instants.map { (_, instant) -> instant.outcome })
        uuids(instants.map { (plan, instant) -> jobId(plan, instant) })
        uuids(instants.map { (plan, instant) -> plan.runs[instant.scheduledFor] })
        texts(instants.map { (_, instant) -> instant.reason })
        uuids(plans.map { it.due.id })
        instants(plans.map { plan -> plan.plan.fold({ it.next }, { until }) })
        texts(plans.map { it.refusal?.code()?.wire() })
        texts(plans.map { it.refusal?.message?.let(Text::storable) })
        text(ErrorCode.SCHEDULE_DEFINITION_UNAVAILABLE.wire())
        text(ErrorCode.SCHEDULE_DEFINITION_UNAVAILABLE.message())
        instant(until)
        instant(plans.first().due.now)
    }

    private fun jobId(plan: PlannedFires, instant: PlannedInstant): UUID? =
        if (plan.due.kind == ScheduleKind.JOB && instant.outcome == FireOutcome.FIRED) UuidV7.next() else null

    private fun ResultSet.written() = Written(
        uuid("moved_id"),
        getString("name"),
        getBoolean("is_defined"),
        !getBoolean("is_active"),
        scheduleFireOrNull(),
    )

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
        val nothingDue = SchedulePass(0, emptyList(), emptyList(), emptyList())
    }
}

internal fun unavailableDefinition(name: String, jobType: String) = ErrorCode.SCHEDULE_DEFINITION_UNAVAILABLE.exception(
    "Schedule ${Text.quoted(name)} needs job type ${Text.quoted(jobType)}, which is not defined or is disabled: define or " +
        "enable the type, or pause the schedule.",
)

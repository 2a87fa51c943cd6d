package io.runledger.exposed.schedule

import io.runledger.exposed.context.LedgerContext
import io.runledger.exposed.json.storedHeaders
import io.runledger.exposed.sql.Binder
import io.runledger.exposed.sql.IsolateRefusals
import io.runledger.exposed.sql.LockWait
import io.runledger.exposed.sql.exception
import io.runledger.exposed.sql.isStorable
import io.runledger.exposed.sql.rows
import io.runledger.exposed.sql.sparse
import io.runledger.exposed.sql.uuid
import io.runledger.model.error.ErrorCode
import io.runledger.model.error.RunledgerException
import io.runledger.model.schedule.FireOutcome
import io.runledger.model.schedule.ScheduleFire
import io.runledger.model.schedule.ScheduleKind
import io.runledger.model.schedule.SchedulePass
import io.runledger.model.text.Text
import io.runledger.model.value.UuidV7
import java.sql.Connection
import java.sql.ResultSet
import java.time.Duration
import java.time.Instant
import java.util.UUID

/**
 * One pass over the due schedules: a statement that locks them, the calculation of their instants, and a statement that writes
 * the results. If workflows are started, four more statements run in between. If the database refuses a row, or another session
 * holds one, the pass fires each schedule on its own.
 */
internal class FireSchedules(private val context: LedgerContext) {
    private val runs = StartScheduledRuns(context)

    fun fire(limit: Int): SchedulePass {
        if (limit !in 1..MAX_LIMIT) {
            throw ErrorCode.INVALID_ARGUMENT.exception("limit is $limit: give 1 to $MAX_LIMIT.")
        }
        return IsolateRefusals().attempt({ pass(limit, null, ::plan) }) { FireEach(context, ::fireOne).fire(limit) }
    }

    /** Fires one schedule if it is due, or defers it because of [refusal]. */
    private fun fireOne(schedule: UUID, refusal: RunledgerException?): SchedulePass =
        pass(1, schedule) { if (refusal == null) plan(it) else Result.failure(refusal) }

    private fun pass(limit: Int, only: UUID?, plan: (DueSchedule) -> Result<FirePlan>): SchedulePass =
        context.transactions.runBriefly(if (only == null) LockWait.TOGETHER else LockWait.ONE_BY_ONE) { connection ->
            val due = connection.rows(
                context.statements["schedule/schedule_due"],
                {
                    uuid("only_id", only)
                    int("limit", limit)
                },
            ) { dueSchedule() }
            if (due.isEmpty()) nothingDue else write(connection, due, plan)
        }

    private fun write(connection: Connection, due: List<DueSchedule>, plan: (DueSchedule) -> Result<FirePlan>): SchedulePass {
        val until = due.maxOf { it.now }.plus(DEFERRAL)
        val plans = runs.start(connection, due.map { withHeaders(PlannedFires(it, plan(it))) })
        val written = connection.rows(context.statements["schedule/schedule_fire"], { bind(plans, until) }) { written() }
            .groupBy { it.scheduleId }
        val fires = due.flatMap { written.getValue(it.id).mapNotNull { row -> row.fire }.sortedBy(ScheduleFire::scheduledFor) }
        val deferred = plans.mapNotNull { plan ->
            refusal(plan, written.getValue(plan.due.id))?.let { plan.due.deferred(it, until) }
        }
        val ended = written.values.filter { it.first().isEnded }.map { it.first().name }
        return SchedulePass(due.size, fires, deferred, ended)
    }

    /** With the headers of its jobs. Runs get theirs when they are planned. */
    private fun withHeaders(fires: PlannedFires): PlannedFires = try {
        val jobs = fires.instants.filter { isJob(fires, it) }
        // A schedule that cannot be read has no jobs.
        if (jobs.isEmpty()) {
            fires
        } else {
            val stored = fires.due.stored.getOrThrow()
            fires.with(jobs.associate { it.scheduledFor to stored.fireHeaders(context) })
        }
    } catch (refused: RunledgerException) {
        fires.refused(refused)
    }

    private fun isJob(fires: PlannedFires, instant: PlannedInstant) =
        fires.due.kind == ScheduleKind.JOB && instant.outcome == FireOutcome.FIRED

    private fun plan(due: DueSchedule): Result<FirePlan> = try {
        val stored = due.stored.getOrThrow()
        val plan = FirePlan.of(stored.schedule, stored.recurrence(), due.now, due.isLastLive)
        Result.success(plan.without(due.handled).also(::requireStorable))
    } catch (refused: RunledgerException) {
        Result.failure(refused)
    } catch (failure: RuntimeException) {
        Result.failure(outOfRange(failure))
    }

    private fun requireStorable(plan: FirePlan) {
        val instants = plan.instants.map { it.scheduledFor } + listOfNotNull(plan.next)
        if (!instants.all { it.isStorable() }) throw outOfRange(null)
    }

    private fun outOfRange(cause: RuntimeException?) = ErrorCode.DB_RULE.exception(
        "A stored time or number of the schedule is out of range. Save the schedule again.",
        cause?.toString(),
        cause,
    )

    private fun refusal(plan: PlannedFires, written: List<Written>): RunledgerException? =
        plan.refusal ?: if (written.first().isDefined) null else unavailableDefinition(plan.due.name, plan.due.jobType.orEmpty())

    private fun Binder.bind(plans: List<PlannedFires>, until: Instant) {
        val instants = plans.flatMap { plan -> plan.instants.map { plan to it } }
        uuids("fire_schedule_ids", instants.map { (plan, _) -> plan.due.id })
        instants("scheduled_for", instants.map { (_, instant) -> instant.scheduledFor })
        texts("scheduled_for_texts", instants.map { (_, instant) -> instant.scheduledFor.toString() })
        wires("outcomes", instants.map { (_, instant) -> instant.outcome })
        uuids("job_ids", instants.map { (plan, instant) -> jobId(plan, instant) })
        uuids("run_ids", instants.map { (plan, instant) -> plan.runs[instant.scheduledFor] })
        texts("fire_reasons", instants.map { (_, instant) -> instant.reason })
        jsons("fire_headers", instants.sparse { (plan, instant) -> plan.headers[instant.scheduledFor]?.storedHeaders() })
        uuids("schedule_ids", plans.map { it.due.id })
        instants("next_fire_at", plans.map { plan -> plan.plan.fold({ it.next }, { until }) })
        texts("error_codes", plans.map { it.refusal?.code()?.wire() })
        texts("error_reasons", plans.map { it.refusal?.message?.let(Text::storable) })
        text("undefined_code", ErrorCode.SCHEDULE_DEFINITION_UNAVAILABLE.wire())
        text("undefined_reason", ErrorCode.SCHEDULE_DEFINITION_UNAVAILABLE.message())
        instant("deferred_until", until)
        instant("now", plans.first().due.now)
    }

    private fun jobId(plan: PlannedFires, instant: PlannedInstant): UUID? = if (isJob(plan, instant)) UuidV7.next() else null

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

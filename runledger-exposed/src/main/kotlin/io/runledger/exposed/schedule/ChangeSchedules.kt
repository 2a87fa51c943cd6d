package io.runledger.exposed.schedule

import io.runledger.exposed.context.LedgerContext
import io.runledger.exposed.json.storedHeaders
import io.runledger.exposed.operator.Act
import io.runledger.exposed.operator.ActionDraft
import io.runledger.exposed.operator.RecordActions
import io.runledger.exposed.sql.exception
import io.runledger.exposed.sql.instant
import io.runledger.exposed.sql.isStorable
import io.runledger.exposed.sql.row
import io.runledger.exposed.sql.rows
import io.runledger.exposed.sql.scope
import io.runledger.exposed.sql.scoped
import io.runledger.exposed.sql.update
import io.runledger.exposed.sql.uuid
import io.runledger.model.error.ErrorCode
import io.runledger.model.ledger.Scope
import io.runledger.model.operator.OperatorActionKind
import io.runledger.model.operator.OperatorTarget
import io.runledger.model.schedule.FireOutcome
import io.runledger.model.schedule.Schedule
import io.runledger.model.schedule.ScheduleFire
import io.runledger.model.schedule.ScheduleKind
import io.runledger.model.text.Text
import io.runledger.model.value.UuidV7
import java.sql.Connection
import java.time.Instant
import java.time.temporal.ChronoUnit
import java.util.UUID

/** Changes one schedule: locks it, decides and writes. */
internal class ChangeSchedules(private val context: LedgerContext) {
    private val runs = StartScheduledRuns(context)
    private val actions = RecordActions(context)

    fun pause(scope: Scope, name: String, reason: String?): Schedule = context.transactions.run { connection ->
        actions.record(connection, draft(OperatorActionKind.SCHEDULE_PAUSE, scope, name, reason)) { act ->
            pause(connection, scope, name, reason, act)
        }
    }

    fun pause(connection: Connection, scope: Scope, name: String, reason: String?, act: Act): Schedule {
        val (stored, now) = lock(connection, scope, name)
        val schedule = stored.schedule
        act.changed(schedule.active())
        if (!schedule.active() && schedule.declaredActive() != null) return schedule
        if (schedule.active()) note(connection, stored, now, FireOutcome.PAUSED, reason)
        val declared = schedule.declaredActive() ?: schedule.active()
        return move(connection, stored, false, stored.cursorWhilePaused(now), stored.anchor, declared)
    }

    fun resume(scope: Scope, name: String, reason: String?): Schedule = context.transactions.run { connection ->
        actions.record(connection, draft(OperatorActionKind.SCHEDULE_RESUME, scope, name, reason)) { act ->
            resume(connection, scope, name, reason, act)
        }
    }

    fun resume(connection: Connection, scope: Scope, name: String, reason: String?, act: Act): Schedule {
        // Locks the definitions before the schedule, in the same order as a save.
        val statements = context.statements
        val types = jobTypes(connection, scope, name)
        val disabled = types - connection.rows(statements["schedule/schedule_definitions"], { texts("job_types", types) }) {
            getString("job_type").takeIf { getBoolean("is_enabled") }
        }.filterNotNull().toSet()
        val (stored, now) = lock(connection, scope, name)
        if (stored.jobTypes != types) {
            throw ErrorCode.DB_CONTENTION.exception("Schedule ${Text.quoted(name)} was changed concurrently: try again.")
        }
        disabled.firstOrNull()?.let { throw unavailableDefinition(name, it) }
        val schedule = stored.schedule
        act.changed(!schedule.active())
        if (schedule.active()) return schedule
        note(connection, stored, now, FireOutcome.RESUMED, reason)
        val next = if (schedule.nextFireAt() > now) schedule.nextFireAt() else upcoming(stored, now)
        // If the schedule is declared as active, the resume only lifts the pause and overrides nothing.
        return move(connection, stored, true, next, stored.anchor, if (schedule.declaredActive() == true) null else false)
    }

    private fun jobTypes(connection: Connection, scope: Scope, name: String): List<String> =
        connection.row(context.statements.scoped("schedule/schedule_get", scope), { named(scope, name) }) {
            storedSchedule().jobTypes
        } ?: throw scheduleNotFound(name)

    fun retime(scope: Scope, name: String, nextFireAt: Instant, reason: String?): Schedule = change(
        draft(OperatorActionKind.SCHEDULE_RETIME, scope, name, reason),
        scope,
    ) { connection, stored, _, act ->
        if (!nextFireAt.isStorable()) {
            throw ErrorCode.INVALID_ARGUMENT.exception(
                "PostgreSQL cannot store the next fire ($nextFireAt): give an instant before the year 294277.",
            )
        }
        val at = nextFireAt.truncatedTo(ChronoUnit.MICROS)
        act.changed(at != stored.schedule.nextFireAt())
        act.details["next_fire_at"] = at.toString()
        act.details["previous_next_fire_at"] = stored.schedule.nextFireAt().toString()
        move(connection, stored, stored.schedule.active(), at, at)
    }

    fun fireNow(scope: Scope, name: String, reason: String?): ScheduleFire = change(
        draft(OperatorActionKind.SCHEDULE_FIRE, scope, name, reason),
        scope,
    ) { connection, stored, now, act ->
        fire(connection, stored, now, reason).also { fire ->
            act.changed(1)
            fire.jobId()?.let { act.details["job_id"] = it.toString() }
            fire.runId()?.let { act.details["run_id"] = it.toString() }
        }
    }

    private fun fire(connection: Connection, stored: StoredSchedule, now: Instant, reason: String?): ScheduleFire =
        when (stored.schedule.kind()) {
            ScheduleKind.JOB -> note(connection, stored, now, FireOutcome.FIRED, reason, jobId = job(connection, stored, now))

            ScheduleKind.WORKFLOW -> {
                val run = runs.startByHand(connection, stored, now)
                note(connection, stored, now, FireOutcome.FIRED, reason, runId = run)
            }

            ScheduleKind.POLL -> {
                requireActive(stored.schedule)
                move(connection, stored, true, now, stored.anchor)
                note(connection, stored, now, FireOutcome.POLL_REQUESTED, reason)
            }
        }

    fun delete(scope: Scope, name: String, reason: String?): Boolean = context.transactions.run { connection ->
        actions.record(connection, draft(OperatorActionKind.SCHEDULE_DELETE, scope, name, reason)) { act ->
            val isDeleted =
                connection.update(context.statements.scoped("schedule/schedule_delete", scope)) { named(scope, name) } > 0
            if (isDeleted) act.changed(1) else act.refused()
            isDeleted
        }
    }

    private fun job(connection: Connection, stored: StoredSchedule, now: Instant): UUID {
        val id = stored.schedule.id()
        val headers = stored.fireHeaders(context)
        return connection.row(
            context.statements["schedule/schedule_trigger"],
            {
                uuid("job_id", UuidV7.next())
                text("scheduled_for", now.toString())
                json("headers", headers.storedHeaders())
                uuid("schedule_id", id)
            },
        ) { uuid("id") } ?: throw unavailableDefinition(stored.schedule.name(), stored.schedule.jobType().orEmpty())
    }

    private fun requireActive(trigger: Schedule) {
        if (trigger.active()) return
        throw ErrorCode.INVALID_ARGUMENT.exception(
            "Trigger ${Text.quoted(trigger.name())} is paused and is not polled: resume it first.",
        )
    }

    private fun note(
        connection: Connection,
        stored: StoredSchedule,
        now: Instant,
        outcome: FireOutcome,
        reason: String?,
        jobId: UUID? = null,
        runId: UUID? = null,
    ): ScheduleFire = connection.rows(
        context.statements["schedule/schedule_note"],
        {
            uuid("schedule_id", stored.schedule.id())
            uuid("job_id", jobId)
            uuid("run_id", runId)
            instant("at", now)
            text("outcome", outcome.wire())
            text("reason", reason?.let(Text::storable))
        },
    ) { scheduleFire() }.single()

    private fun upcoming(stored: StoredSchedule, now: Instant): Instant = stored.recurrence().next(now)
        ?: throw CronTimes.invalid(stored.schedule.cron().orEmpty(), "it has no instant in the future")

    private fun draft(kind: OperatorActionKind, scope: Scope, name: String, reason: String?) =
        ActionDraft(kind, OperatorTarget.schedule(name), reason, scope, 1)

    private fun <T> change(draft: ActionDraft, scope: Scope, work: (Connection, StoredSchedule, Instant, Act) -> T): T =
        context.transactions.run { connection ->
            actions.record(connection, draft) { act ->
                val (stored, now) = lock(connection, scope, checkNotNull(draft.target.name()))
                work(connection, stored, now, act)
            }
        }

    private fun lock(connection: Connection, scope: Scope, name: String): Pair<StoredSchedule, Instant> = connection.rows(
        context.statements.scoped("schedule/schedule_lock", scope),
        {
            texts("names", listOf(name))
            scope(scope)
        },
    ) { storedSchedule() to instant("database_now") }.singleOrNull() ?: throw scheduleNotFound(name)

    private fun move(
        connection: Connection,
        stored: StoredSchedule,
        isActive: Boolean,
        nextFireAt: Instant,
        anchor: Instant,
        declaredActive: Boolean? = stored.schedule.declaredActive(),
    ): Schedule = connection.rows(
        context.statements["schedule/schedule_move"],
        {
            uuid("schedule_id", stored.schedule.id())
            text("dropped_reason", DROPPED)
            bool("is_active", isActive)
            bool("declared_is_active", declaredActive)
            instant("next_fire_at", nextFireAt)
            instant("anchor_at", anchor)
        },
    ) { schedule() }.single()
}

/** The reason in the history row of a deferred instant that is not retried. */
internal const val DROPPED = "Not retried: the schedule was paused, moved or changed."

internal fun scheduleNotFound(name: String) = ErrorCode.SCHEDULE_NOT_FOUND.exception(
    "There is no schedule ${Text.quoted(name)} in this scope: check the name and the organization of the scope.",
)

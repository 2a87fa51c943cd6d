package io.runledger.exposed.schedule

import io.runledger.exposed.LedgerContext
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
import io.runledger.model.id.Text
import io.runledger.model.id.UuidV7
import io.runledger.model.state.FireOutcome
import io.runledger.model.state.Schedule
import io.runledger.model.state.ScheduleFire
import io.runledger.model.state.ScheduleKind
import io.runledger.model.state.Scope
import java.sql.Connection
import java.time.Instant
import java.time.temporal.ChronoUnit
import java.util.UUID

/** Changes one schedule: locks it, decides, writes. */
internal class ChangeSchedules(private val context: LedgerContext) {
    private val runs = StartScheduledRuns(context)

    fun pause(name: String, scope: Scope, reason: String?): Schedule = change(name, scope) { connection, stored, now ->
        val schedule = stored.schedule
        if (!schedule.active() && schedule.declaredActive() != null) return@change schedule
        if (schedule.active()) note(connection, stored, now, FireOutcome.PAUSED, reason)
        move(connection, stored, false, stored.restingAt(now), stored.anchor, schedule.declaredActive() ?: schedule.active())
    }

    fun resume(name: String, scope: Scope, reason: String?): Schedule = context.transactions.run { connection ->
        // The definition before the schedule, as a save locks them.
        val statements = context.statements
        val types = connection.row(statements.scoped("schedule_get", scope), { named(name, scope) }) { storedSchedule().jobTypes }
            ?: throw scheduleNotFound(name)
        val disabled = types - connection.rows(statements["schedule_definitions"], { texts(types) }) {
            getString("job_type").takeIf { getBoolean("is_enabled") }
        }.filterNotNull().toSet()
        val (stored, now) = lock(connection, name, scope)
        if (stored.jobTypes != types) {
            throw ErrorCode.DB_CONTENTION.exception("Schedule ${Text.quoted(name)} was changed meanwhile: try again.")
        }
        disabled.firstOrNull()?.let { throw unavailableDefinition(name, it) }
        val schedule = stored.schedule
        if (schedule.active()) return@run schedule
        note(connection, stored, now, FireOutcome.RESUMED, reason)
        val next = if (schedule.nextFireAt() > now) schedule.nextFireAt() else upcoming(stored, now)
        // Where code says the same, a pause is lifted and nothing else stands.
        move(connection, stored, true, next, stored.anchor, if (schedule.declaredActive() == true) null else false)
    }

    fun retime(name: String, nextFireAt: Instant, scope: Scope): Schedule = change(name, scope) { connection, stored, _ ->
        if (!nextFireAt.isStorable()) {
            throw ErrorCode.INVALID_ARGUMENT.exception(
                "PostgreSQL cannot store the next fire ($nextFireAt): give an instant before the year 294277.",
            )
        }
        val at = nextFireAt.truncatedTo(ChronoUnit.MICROS)
        move(connection, stored, stored.schedule.active(), at, at)
    }

    fun fireNow(name: String, scope: Scope, reason: String?): ScheduleFire = change(name, scope) { connection, stored, now ->
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
    }

    fun delete(name: String, scope: Scope): Boolean = context.transactions.statement { connection ->
        connection.update(context.statements.scoped("schedule_delete", scope)) { named(name, scope) } > 0
    }

    private fun job(connection: Connection, stored: StoredSchedule, now: Instant): UUID {
        val id = stored.schedule.id()
        return connection.row(
            context.statements["schedule_trigger"],
            {
                uuid(UuidV7.next())
                text(now.toString())
                uuid(id)
                uuid(id)
            },
        ) { uuid("id") } ?: throw unavailableDefinition(stored.schedule.name(), stored.schedule.jobType().orEmpty())
    }

    private fun requireActive(trigger: Schedule) {
        if (trigger.active()) return
        throw ErrorCode.INVALID_ARGUMENT.exception(
            "Trigger ${Text.quoted(trigger.name())} is paused, so that nobody polls: resume it first.",
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
        context.statements["schedule_note"],
        {
            uuid(stored.schedule.id())
            uuid(jobId)
            uuid(runId)
            repeat(2) { instant(now) }
            text(outcome.wire())
            text(reason?.let(Text::storable))
        },
    ) { scheduleFire() }.single()

    private fun upcoming(stored: StoredSchedule, now: Instant): Instant = stored.rhythm().next(now)
        ?: throw CronTimes.invalid(stored.schedule.cron().orEmpty(), "no instant it names lies in the future")

    private fun <T> change(name: String, scope: Scope, work: (Connection, StoredSchedule, Instant) -> T): T =
        context.transactions.run { connection ->
            val (stored, now) = lock(connection, name, scope)
            work(connection, stored, now)
        }

    private fun lock(connection: Connection, name: String, scope: Scope): Pair<StoredSchedule, Instant> = connection.rows(
        context.statements.scoped("schedule_lock", scope),
        {
            texts(listOf(name))
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
        context.statements["schedule_move"],
        {
            uuid(stored.schedule.id())
            text(DROPPED)
            bool(isActive)
            bool(declaredActive)
            instant(nextFireAt)
            instant(anchor)
            uuid(stored.schedule.id())
        },
    ) { schedule() }.single()
}

/** What the line of an instant that waited says when it is not tried again. */
internal const val DROPPED = "Not tried again: the schedule was paused, moved or changed."

internal fun scheduleNotFound(name: String) = ErrorCode.SCHEDULE_NOT_FOUND.exception(
    "There is no schedule ${Text.quoted(name)} in this scope: check the name, and whether the scope is its organization's.",
)

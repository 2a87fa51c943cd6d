package io.runledger.exposed.schedule

import io.runledger.exposed.LedgerContext
import io.runledger.exposed.sql.exception
import io.runledger.exposed.sql.instant
import io.runledger.exposed.sql.row
import io.runledger.exposed.sql.rows
import io.runledger.exposed.sql.scope
import io.runledger.exposed.sql.scoped
import io.runledger.exposed.sql.update
import io.runledger.exposed.sql.uuid
import io.runledger.model.error.ErrorCode
import io.runledger.model.id.Text
import io.runledger.model.id.UuidV7
import io.runledger.model.state.Disposition
import io.runledger.model.state.EnqueuedJob
import io.runledger.model.state.JobStatus
import io.runledger.model.state.Schedule
import io.runledger.model.state.Scope
import java.sql.Connection
import java.time.Instant
import java.time.temporal.ChronoUnit

/** Changes one schedule: locks it, decides, writes. */
internal class ChangeSchedules(private val context: LedgerContext) {
    fun pause(name: String, scope: Scope): Schedule = change(name, scope) { connection, stored, _ ->
        val schedule = stored.schedule
        if (schedule.active()) move(connection, stored, false, schedule.nextFireAt(), stored.anchor) else schedule
    }

    fun resume(name: String, scope: Scope): Schedule = context.transactions.run { connection ->
        // The definition before the schedule, as a save locks them.
        val statements = context.statements
        val type = connection.row(statements.scoped("schedule_get", scope), { named(name, scope) }) { getString("job_type") }
            ?: throw scheduleNotFound(name)
        val isEnabled = connection.row(statements["schedule_definitions"], { texts(listOf(type)) }) { getBoolean("is_enabled") }
        val (stored, now) = lock(connection, name, scope)
        val schedule = stored.schedule
        when {
            schedule.jobType() != type ->
                throw ErrorCode.DB_CONTENTION.exception("Schedule ${Text.quoted(name)} was changed meanwhile: try again.")

            isEnabled != true -> throw unavailableDefinition(schedule)

            schedule.active() -> schedule

            schedule.nextFireAt() > now -> move(connection, stored, true, schedule.nextFireAt(), stored.anchor)

            else -> move(connection, stored, true, upcoming(stored, now), stored.anchor)
        }
    }

    fun retime(name: String, nextFireAt: Instant, scope: Scope): Schedule = change(name, scope) { connection, stored, _ ->
        val at = nextFireAt.truncatedTo(ChronoUnit.MICROS)
        move(connection, stored, stored.schedule.active(), at, at)
    }

    fun triggerNow(name: String, scope: Scope): EnqueuedJob = change(name, scope) { connection, stored, now ->
        val id = stored.schedule.id()
        val job = connection.row(
            context.statements["schedule_trigger"],
            {
                uuid(UuidV7.next())
                text(now.toString())
                uuid(id)
                uuid(id)
            },
        ) { uuid("id") } ?: throw unavailableDefinition(stored.schedule)
        EnqueuedJob(job, Disposition.INSERTED, JobStatus.PENDING, 1)
    }

    fun delete(name: String, scope: Scope): Boolean = context.transactions.statement { connection ->
        connection.update(context.statements.scoped("schedule_delete", scope)) { named(name, scope) } > 0
    }

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
    ): Schedule = connection.rows(
        context.statements["schedule_move"],
        {
            bool(isActive)
            instant(nextFireAt)
            instant(anchor)
            uuid(stored.schedule.id())
        },
    ) { schedule() }.single()
}

internal fun scheduleNotFound(name: String) = ErrorCode.SCHEDULE_NOT_FOUND.exception(
    "There is no schedule ${Text.quoted(name)} in this scope: check the name, and whether the scope is its organization's.",
)

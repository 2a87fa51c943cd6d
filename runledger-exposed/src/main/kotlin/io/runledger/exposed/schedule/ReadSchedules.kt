package io.runledger.exposed.schedule

import io.runledger.exposed.context.LedgerContext
import io.runledger.exposed.context.page
import io.runledger.exposed.sql.Binder
import io.runledger.exposed.sql.exception
import io.runledger.exposed.sql.longOrNull
import io.runledger.exposed.sql.row
import io.runledger.exposed.sql.rows
import io.runledger.exposed.sql.scope
import io.runledger.exposed.sql.scoped
import io.runledger.model.error.ErrorCode
import io.runledger.model.job.JobQuery
import io.runledger.model.ledger.Page
import io.runledger.model.ledger.Scope
import io.runledger.model.schedule.Schedule
import io.runledger.model.schedule.ScheduleFire
import io.runledger.model.schedule.ScheduleRequest
import java.time.Duration
import java.time.Instant
import java.time.temporal.ChronoUnit

/** Reads schedules and calculates their next fires. */
internal class ReadSchedules(private val context: LedgerContext) {
    fun find(scope: Scope, name: String): Schedule? = stored(scope, name)?.schedule

    fun get(scope: Scope, name: String): Schedule = find(scope, name) ?: throw scheduleNotFound(name)

    fun list(scope: Scope, limit: Int, after: String?): Page<Schedule> {
        JobQuery.requireLimit(limit)
        val found = context.transactions.statement { connection ->
            connection.rows(
                context.statements.scoped("schedule/schedule_list", scope),
                {
                    scope(scope)
                    text("after", after)
                    int("limit", limit + 1)
                },
            ) { schedule() }
        }
        return found.page(limit) { it.name() }
    }

    fun fires(scope: Scope, name: String, limit: Int, after: String?): Page<ScheduleFire> {
        JobQuery.requireLimit(limit)
        val last = after?.let(FireCursor::read)
        return context.transactions.statement { connection ->
            connection.rows(
                context.statements.scoped("schedule/schedule_fires", scope),
                {
                    named(scope, name)
                    instant("after_time", last?.scheduledFor)
                    text("after_cause", last?.cause?.wire())
                    text("after_key", last?.dedupKey)
                    int("limit", limit + 1)
                },
            ) { scheduleFire() }
        }.page(limit) { FireCursor(it.scheduledFor(), it.cause(), it.dedupKey()).text() }
    }

    fun upcoming(scope: Scope, name: String, count: Int): List<Instant> {
        requireCount(count)
        val stored = stored(scope, name) ?: throw scheduleNotFound(name)
        val recurrence = stored.recurrence()
        return generateSequence(stored.schedule.nextFireAt(), recurrence::next).take(count).toList()
    }

    fun untilNextFire(): Duration? = context.transactions.statement { connection ->
        connection.row(context.statements["schedule/schedule_next"]) { longOrNull("until_us") }
    }?.let { Duration.of(maxOf(it, 0), ChronoUnit.MICROS) }

    private fun stored(scope: Scope, name: String): StoredSchedule? = context.transactions.statement { connection ->
        connection.row(context.statements.scoped("schedule/schedule_get", scope), { named(scope, name) }) { storedSchedule() }
    }

    companion object {
        fun preview(request: ScheduleRequest, after: Instant, count: Int): List<Instant> {
            requireCount(count)
            val start = ScheduleStart.of(request, after)
            return generateSequence(start.firstFire, start.recurrence::next).take(count).toList()
        }

        private fun requireCount(count: Int) {
            if (count in 1..MAX_COUNT) return
            throw ErrorCode.INVALID_PAGINATION.exception("The requested count is $count: request 1 to $MAX_COUNT.")
        }

        private const val MAX_COUNT = 1_000
    }
}

internal fun Binder.named(scope: Scope, name: String) {
    text("name", name)
    scope(scope)
}

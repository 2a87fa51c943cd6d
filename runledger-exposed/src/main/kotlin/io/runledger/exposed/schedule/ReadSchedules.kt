package io.runledger.exposed.schedule

import io.runledger.exposed.context.LedgerContext
import io.runledger.exposed.sql.Binder
import io.runledger.exposed.sql.exception
import io.runledger.exposed.sql.longOrNull
import io.runledger.exposed.sql.row
import io.runledger.exposed.sql.rows
import io.runledger.exposed.sql.scope
import io.runledger.exposed.sql.scoped
import io.runledger.model.error.ErrorCode
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
    fun get(name: String, scope: Scope): Schedule? = stored(name, scope)?.schedule

    fun list(scope: Scope, limit: Int, after: String?): Page<Schedule> {
        requireCount(limit)
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
        return Page(found.take(limit), if (found.size > limit) found[limit - 1].name() else null)
    }

    fun fires(name: String, scope: Scope, limit: Int): List<ScheduleFire> {
        requireCount(limit)
        return context.transactions.statement { connection ->
            connection.rows(
                context.statements.scoped("schedule/schedule_fires", scope),
                {
                    named(name, scope)
                    int("limit", limit)
                },
            ) { scheduleFire() }
        }
    }

    fun upcoming(name: String, count: Int, scope: Scope): List<Instant> {
        requireCount(count)
        val stored = stored(name, scope) ?: throw scheduleNotFound(name)
        val recurrence = stored.recurrence()
        return generateSequence(stored.schedule.nextFireAt(), recurrence::next).take(count).toList()
    }

    fun untilNextFire(): Duration? = context.transactions.statement { connection ->
        connection.row(context.statements["schedule/schedule_next"]) { longOrNull("until_us") }
    }?.let { Duration.of(maxOf(it, 0), ChronoUnit.MICROS) }

    private fun stored(name: String, scope: Scope): StoredSchedule? = context.transactions.statement { connection ->
        connection.row(context.statements.scoped("schedule/schedule_get", scope), { named(name, scope) }) { storedSchedule() }
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

internal fun Binder.named(name: String, scope: Scope) {
    text("name", name)
    scope(scope)
}

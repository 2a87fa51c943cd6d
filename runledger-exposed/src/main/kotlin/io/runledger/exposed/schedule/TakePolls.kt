package io.runledger.exposed.schedule

import io.runledger.exposed.LedgerContext
import io.runledger.exposed.intake.toMicros
import io.runledger.exposed.sql.LockWait
import io.runledger.exposed.sql.exception
import io.runledger.exposed.sql.instant
import io.runledger.exposed.sql.longOrNull
import io.runledger.exposed.sql.row
import io.runledger.exposed.sql.rows
import io.runledger.exposed.sql.update
import io.runledger.exposed.sql.uuid
import io.runledger.model.error.ErrorCode
import io.runledger.model.id.Text
import io.runledger.model.id.UuidV7
import io.runledger.model.spec.ScheduleRequest
import io.runledger.model.state.Schedule
import io.runledger.model.state.TakenPoll
import java.time.Duration
import java.time.temporal.ChronoUnit

/** Hands out the polls of triggers, each to one worker at a time. */
internal class TakePolls(private val context: LedgerContext) {
    fun register(name: String, every: Duration): Schedule {
        // The rules for names and intervals are those of schedules.
        val rules = ScheduleRequest.builder(name, "poll", null).every(every).build()
        return context.transactions.runBriefly(LockWait.TOGETHER) { connection ->
            connection.row(
                context.statements["poll_register"],
                {
                    uuid(UuidV7.next())
                    text(rules.name())
                    int(rules.interval()!!.toSeconds().toInt())
                },
            ) { schedule() }
        } ?: throw ErrorCode.DB_UNIQUE.exception(
            "The name ${Text.quoted(name)} is taken by a schedule: triggers and schedules share their names, choose another.",
        )
    }

    fun untilNext(names: List<String>): Duration? = context.transactions.statement { connection ->
        connection.row(context.statements["poll_next"], { texts(names) }) { longOrNull("until_us") }
    }?.let { Duration.of(maxOf(it, 0), ChronoUnit.MICROS) }

    fun take(names: List<String>, lease: Duration): List<TakenPoll> {
        if (lease.isNegative || lease.isZero || lease > LONGEST) {
            throw ErrorCode.INVALID_ARGUMENT.exception("The lease is $lease: give more than nothing, and a day at most.")
        }
        return context.transactions.statement { connection ->
            connection.rows(
                context.statements["poll_take"],
                {
                    texts(names)
                    long(lease.toMicros())
                },
            ) { TakenPoll(uuid("id"), getString("name"), uuid("poll_id"), instant("next_fire_at")) }
        }
    }

    fun release(poll: TakenPoll): Boolean = context.transactions.runBriefly(LockWait.TOGETHER) { connection ->
        connection.update(context.statements["poll_release"]) {
            uuid(poll.scheduleId())
            uuid(poll.pollId())
        } > 0
    }

    private companion object {
        val LONGEST: Duration = Duration.ofDays(1)
    }
}

package io.runledger.exposed.schedule

import io.runledger.exposed.context.LedgerContext
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
import io.runledger.model.schedule.Schedule
import io.runledger.model.schedule.ScheduleRequest
import io.runledger.model.schedule.TakenPoll
import io.runledger.model.text.Text
import io.runledger.model.value.UuidV7
import java.time.Duration
import java.time.temporal.ChronoUnit

/** Assigns the polls of triggers, each to one worker at a time. */
internal class TakePolls(private val context: LedgerContext) {
    fun register(name: String, every: Duration): Schedule {
        // Names and intervals of triggers follow the rules of schedules.
        val rules = ScheduleRequest.builder(name, "poll", null).every(every).build()
        return context.transactions.runBriefly(LockWait.TOGETHER) { connection ->
            connection.row(
                context.statements["schedule/poll_register"],
                {
                    uuid("id", UuidV7.next())
                    text("name", rules.name())
                    int("interval_seconds", rules.interval()!!.toSeconds().toInt())
                },
            ) { schedule() }
        } ?: throw ErrorCode.DB_UNIQUE.exception(
            "The name ${Text.quoted(name)} is taken by a schedule, and names are unique across triggers and schedules: choose " +
                "another name.",
        )
    }

    fun untilNext(names: List<String>): Duration? = context.transactions.statement { connection ->
        connection.row(context.statements["schedule/poll_next"], { texts("names", names) }) { longOrNull("until_us") }
    }?.let { Duration.of(maxOf(it, 0), ChronoUnit.MICROS) }

    fun take(names: List<String>, lease: Duration): List<TakenPoll> {
        if (lease.isNegative || lease.isZero || lease > LONGEST) {
            throw ErrorCode.INVALID_ARGUMENT.exception("The lease is $lease: give a positive duration of at most a day.")
        }
        return context.transactions.statement { connection ->
            connection.rows(
                context.statements["schedule/poll_take"],
                {
                    texts("names", names)
                    long("lease_us", lease.toMicros())
                },
            ) { TakenPoll(uuid("id"), getString("name"), uuid("poll_id"), instant("next_fire_at")) }
        }
    }

    fun release(poll: TakenPoll): Boolean = context.transactions.runBriefly(LockWait.TOGETHER) { connection ->
        connection.update(context.statements["schedule/poll_release"]) {
            uuid("schedule_id", poll.scheduleId())
            uuid("poll_id", poll.pollId())
        } > 0
    }

    private companion object {
        val LONGEST: Duration = Duration.ofDays(1)
    }
}

package io.runledger.exposed.worker

import io.runledger.exposed.context.LedgerContext
import io.runledger.exposed.schedule.SettlePolls
import io.runledger.exposed.schedule.TakePolls
import io.runledger.model.schedule.PollResult
import io.runledger.model.schedule.Schedule
import io.runledger.model.schedule.ScheduleFire
import io.runledger.model.schedule.TakenPoll
import java.time.Duration

/**
 * Triggers: functions that workers call at an interval, and whose findings start jobs or runs. Workers call these methods. A
 * trigger is a schedule, and is paused, resumed, polled at once, read and deleted as one.
 */
@WorkerApi
public class Triggers internal constructor(context: LedgerContext) {
    private val polls = TakePolls(context)
    private val endings = SettlePolls(context)

    /**
     * Creates a trigger that is polled at the interval [every], in whole seconds, the first time at once. An existing trigger
     * keeps its history and its active flag. It keeps its next poll unless the interval changes. Refused with
     * `job_schedule.invalid_name` or `job_schedule.invalid_interval`, or with `db.unique_violation` if a schedule has the
     * name.
     */
    public fun register(name: String, every: Duration): Schedule = polls.register(name, every)

    /** The time until the next poll of these triggers: zero if one is due, null if all are paused or none exists. */
    public fun untilNextPoll(names: List<String>): Duration? = polls.untilNext(names)

    /**
     * Takes the due polls of these triggers, by the database's clock. No other caller gets them until the [lease] expires. If
     * the worker dies, another worker takes them after that.
     */
    public fun take(names: List<String>, lease: Duration): List<TakenPoll> = polls.take(names, lease)

    /**
     * Starts the new findings of the poll, records them and sets the next poll, in one transaction. A finding that cannot be
     * started is recorded as failed under its key, and the others start. If the trigger was paused during the poll, nothing
     * starts. If its next poll was changed during the poll, that change stays. Returns the recorded entries. Refused with
     * `job_schedule.poll_lost`, without any change, if another worker may have taken over the poll.
     */
    public fun settle(poll: TakenPoll, result: PollResult): List<ScheduleFire> = endings.settle(poll, result)

    /** Records that the poll failed and its [reason], and sets the next poll. Refused as [settle]. */
    public fun fail(poll: TakenPoll, reason: String): List<ScheduleFire> = endings.fail(poll, reason)

    /** Returns the poll, so that another worker can take it at once. Returns false if the caller no longer held it. */
    public fun release(poll: TakenPoll): Boolean = polls.release(poll)
}

package io.runledger.exposed

import io.runledger.exposed.schedule.SettlePolls
import io.runledger.exposed.schedule.TakePolls
import io.runledger.model.spec.PollResult
import io.runledger.model.state.Schedule
import io.runledger.model.state.ScheduleFire
import io.runledger.model.state.TakenPoll
import java.time.Duration

/**
 * Functions that workers call every so often, and that start something when they find something. Workers call what stands
 * here; a trigger is a schedule, and is paused, resumed, polled at once, read and deleted as one.
 */
public class Triggers internal constructor(context: LedgerContext) {
    private val polls = TakePolls(context)
    private val endings = SettlePolls(context)

    /**
     * Makes a trigger that is polled [every] so often, in whole seconds, the first time at once. One that exists keeps its
     * history and whether it is active, and its next poll unless the interval is another now. Refused with
     * `job_schedule.invalid_name` or `job_schedule.invalid_interval`, or with `db.unique_violation` when a schedule has the name.
     */
    public fun register(name: String, every: Duration): Schedule = polls.register(name, every)

    /** How long until one of these triggers is to be polled: zero when one is now, null when all are paused or none is there. */
    public fun untilNextPoll(names: List<String>): Duration? = polls.untilNext(names)

    /**
     * Takes the polls of these triggers that are due by the database's clock. For as long as the [lease] nobody else gets them; a
     * worker that dies meanwhile leaves them to another.
     */
    public fun take(names: List<String>, lease: Duration): List<TakenPoll> = polls.take(names, lease)

    /**
     * Starts what the poll found and was not found before, notes it and moves the trigger on, in one transaction. What cannot
     * be started is noted as failed under its key, and the others start. Nothing starts when the trigger was paused meanwhile,
     * and a trigger that was given another time meanwhile keeps it. Answers with what was noted. Refused with
     * `job_schedule.poll_lost` when another worker may have taken the poll over; then nothing is written.
     */
    public fun settle(poll: TakenPoll, result: PollResult): List<ScheduleFire> = endings.settle(poll, result)

    /** Notes that the poll failed, and why, and moves the trigger on; refused as [settle]. */
    public fun fail(poll: TakenPoll, reason: String): List<ScheduleFire> = endings.fail(poll, reason)

    /** Gives the poll back undone, so that another worker does it at once. False when it was no longer the caller's. */
    public fun release(poll: TakenPoll): Boolean = polls.release(poll)
}

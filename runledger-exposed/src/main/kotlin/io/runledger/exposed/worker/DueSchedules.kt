package io.runledger.exposed.worker

import io.runledger.exposed.context.LedgerContext
import io.runledger.exposed.schedule.FireSchedules
import io.runledger.exposed.schedule.ReadSchedules
import io.runledger.model.schedule.SchedulePass
import java.time.Duration

/** Fires schedules. */
@WorkerApi
public class DueSchedules internal constructor(context: LedgerContext) {
    private val firing = FireSchedules(context)
    private val reads = ReadSchedules(context)

    /**
     * Handles up to [limit] schedules that are due by the database's clock, the longest due first, in one transaction and a fixed
     * number of statements. Any number of processes may do so at once; each instant of a schedule makes at most one job or run.
     *
     * Misfire policy: `ONE` fires the oldest due instant and drops the others; `ALL` fires them oldest first up to its limit;
     * `SKIP` fires the first that is at most a minute late. The next fire always lies after now. If a schedule cannot fire,
     * because a type is disabled, its expression cannot be read or the database refuses its job, it is deferred by 30 seconds
     * without affecting the others: its instant waits, and the policy applies once it can fire.
     */
    public fun fire(limit: Int): SchedulePass = firing.fire(limit)

    /** The time until a schedule is due, by the database's clock: zero if one is due already, null if none is active. */
    public fun untilNextFire(): Duration? = reads.untilNextFire()
}

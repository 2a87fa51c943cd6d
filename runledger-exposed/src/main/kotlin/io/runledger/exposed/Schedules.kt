package io.runledger.exposed

import io.runledger.exposed.schedule.ChangeSchedules
import io.runledger.exposed.schedule.FireSchedules
import io.runledger.exposed.schedule.ReadSchedules
import io.runledger.exposed.schedule.SaveSchedules
import io.runledger.model.spec.ScheduleRequest
import io.runledger.model.state.Page
import io.runledger.model.state.Schedule
import io.runledger.model.state.ScheduleFire
import io.runledger.model.state.SchedulePass
import io.runledger.model.state.ScheduleSync
import io.runledger.model.state.Scope
import java.time.Duration
import java.time.Instant

/**
 * What makes jobs or starts workflow runs by the clock, and the history of it. A schedule outside the scope of a call behaves as
 * if it did not exist.
 *
 * A cron expression has six fields (second, minute, hour, day of month, month, day of week) and an optional seventh (year), or
 * the five of crontab (minute to day of week), or is a nickname: `@yearly`, `@annually`, `@monthly`, `@weekly`, `@daily`,
 * `@midnight`, `@hourly`. With seconds, Sunday is 1 and Saturday 7, `?` stands for any day, `L`, `W` and `#` are known, and a day
 * must match both day fields. With five fields, Sunday is 0 or 7, and when neither day field is `*` a day needs to match only one
 * of them. Years end with 2099. Ranges run upwards, except those of days of the week.
 *
 * When clocks are put forward, a time they skip fires once, at that instant. When they are put back, a time they show twice fires
 * the first time only; an expression whose hour is `*` fires both times, so that it does not pause.
 */
public class Schedules internal constructor(context: LedgerContext) {
    private val saves = SaveSchedules(context)
    private val changes = ChangeSchedules(context)
    private val reads = ReadSchedules(context)
    private val firing = FireSchedules(context)

    /**
     * Saves a schedule under its name. One that exists keeps its organization, its history, whether it is active, and its next
     * fire unless cron expression, interval or zone are others now; one that is stored with a newer version stays as it is and
     * is the answer. [scope] is the request's own organization unless given.
     *
     * Refused with `job_schedule.invalid_cron` and what is wrong with it; with `job_schedule.definition_not_found_or_disabled`
     * when the job type is unknown, or disabled while the schedule is active; with `db.unique_violation` when a schedule outside
     * the scope has the name.
     */
    @JvmOverloads
    public fun upsert(request: ScheduleRequest, scope: Scope = request.ownScope()): Schedule = saves.upsert(request, scope)

    /**
     * Saves a set of schedules, all or none, as [upsert] does but with whether they are active, unless an operator paused or
     * resumed them: that stands until it is lifted by the opposite. One that wakes up goes on with its next fire after now.
     * Others are left alone, and so are those stored with a newer version, which [ScheduleSync.outdated] names. Refuses a name
     * given twice.
     */
    public fun sync(requests: List<ScheduleRequest>, scope: Scope): ScheduleSync = saves.sync(requests, scope)

    /**
     * As [sync], and pauses those among [names] that are not given, unless an operator resumed them; no requests pause them
     * all. Refuses a request whose name is not among [names]. Nothing is deleted.
     */
    public fun syncExactly(requests: List<ScheduleRequest>, names: Set<String>, scope: Scope): ScheduleSync =
        saves.syncExactly(requests, names, scope)

    /**
     * Stops a schedule from firing, whatever code declares, until [resume]; repeatable. Its history tells when, and the
     * [reason]. An instant that waits because it could not fire yet is skipped, and what a poll of a trigger finds that is under
     * way is not started. `job_schedule.not_found` when there is none.
     */
    @JvmOverloads
    public fun pause(name: String, scope: Scope, reason: String? = null): Schedule = changes.pause(name, scope, reason)

    /**
     * Lets a paused schedule fire again; repeatable. What fell into the pause was not missed and is not made up for, whatever the
     * misfire policy: the next fire lies after now. Its history tells when, and the [reason].
     * `job_schedule.definition_not_found_or_disabled` while a job type it needs is disabled.
     */
    @JvmOverloads
    public fun resume(name: String, scope: Scope, reason: String? = null): Schedule = changes.resume(name, scope, reason)

    /**
     * Moves the next fire to [nextFireAt] exactly, without jitter; an interval counts from there on. One in the past is due at
     * once. `job_schedule.not_found` when there is none.
     */
    public fun retime(name: String, nextFireAt: Instant, scope: Scope): Schedule = changes.retime(name, nextFireAt, scope)

    /**
     * Makes a job or starts a run at once, paused or not, overlapping or not, and notes it with the [reason]. The rhythm does not
     * change, but it counts as the last job or run for the overlap policy. Each call makes another one.
     */
    @JvmOverloads
    public fun fireNow(name: String, scope: Scope, reason: String? = null): ScheduleFire = changes.fireNow(name, scope, reason)

    /** Deletes a schedule and its history; its jobs and runs stay. False when there was none. */
    public fun delete(name: String, scope: Scope): Boolean = changes.delete(name, scope)

    /** The schedule, or null when there is none. */
    public fun get(name: String, scope: Scope): Schedule? = reads.get(name, scope)

    /** Schedules by name, at most [limit] (1 to 1,000); [after] is the cursor of the page before. */
    @JvmOverloads
    public fun list(scope: Scope, limit: Int = 100, after: String? = null): Page<Schedule> = reads.list(scope, limit, after)

    /**
     * The history of a schedule, the newest first, at most [limit] (1 to 1,000): what became of each of its instants, and when,
     * with the job or run; what was fired by hand; when it was paused and resumed. One line stands for a row of missed instants.
     */
    @JvmOverloads
    public fun fires(name: String, scope: Scope, limit: Int = 100): List<ScheduleFire> = reads.fires(name, scope, limit)

    /** The next [count] fires of a saved schedule, jitter included. Fewer when the expression has no more. */
    public fun upcoming(name: String, count: Int, scope: Scope): List<Instant> = reads.upcoming(name, count, scope)

    /**
     * One pass of a scheduler: handles up to [limit] schedules that are due by the database's clock, the longest due first, in
     * one transaction and a fixed number of statements. Any number of processes may do so at once; each instant of a schedule
     * makes one job or run at most.
     *
     * Misfire policy: `ONE` fires the oldest due instant and forgets the others; `ALL` fires them oldest first up to its
     * limit; `SKIP` fires the first that is at most a minute late. The next fire always lies after now. A schedule that cannot
     * fire, because a type is disabled, its expression cannot be read or the database refuses its job, is deferred by 30
     * seconds without disturbing the others: its instant waits, and the policy decides once it can fire.
     */
    public fun fire(limit: Int): SchedulePass = firing.fire(limit)

    /** How long until a schedule is due, by the database's clock: zero when one is due already, null when none is active. */
    public fun untilNextFire(): Duration? = reads.untilNextFire()

    public companion object {
        /**
         * The next [count] fires (1 to 1,000) a schedule would have if it were saved at [after], without jitter. Asks no
         * database.
         */
        @JvmStatic
        public fun preview(request: ScheduleRequest, after: Instant, count: Int): List<Instant> =
            ReadSchedules.preview(request, after, count)

        private fun ScheduleRequest.ownScope(): Scope = organizationId()?.let(Scope::organization) ?: Scope.global()
    }
}

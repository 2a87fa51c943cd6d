package io.runledger.exposed

import io.runledger.exposed.backfill.BackfillRange
import io.runledger.exposed.backfill.BackfillSchedule
import io.runledger.exposed.context.LedgerContext
import io.runledger.exposed.schedule.ChangeSchedules
import io.runledger.exposed.schedule.DescribeSchedule
import io.runledger.exposed.schedule.EditSchedule
import io.runledger.exposed.schedule.ReadSchedules
import io.runledger.exposed.schedule.SaveSchedules
import io.runledger.model.job.JobQuery
import io.runledger.model.ledger.Page
import io.runledger.model.ledger.Scope
import io.runledger.model.schedule.BackfillPreview
import io.runledger.model.schedule.BackfillReport
import io.runledger.model.schedule.FireCause
import io.runledger.model.schedule.Schedule
import io.runledger.model.schedule.ScheduleEdit
import io.runledger.model.schedule.ScheduleFire
import io.runledger.model.schedule.ScheduleRequest
import io.runledger.model.schedule.ScheduleSync
import java.time.Duration
import java.time.Instant
import java.time.ZoneId
import java.util.function.Consumer

/**
 * Schedules that create jobs or start workflow runs, and their history. A schedule outside the scope of a call is treated as
 * if it did not exist.
 *
 * A cron expression has six fields (second, minute, hour, day of month, month, day of week) and an optional seventh (year), or
 * the five of crontab (minute to day of week), or is a nickname: `@yearly`, `@annually`, `@monthly`, `@weekly`, `@daily`,
 * `@midnight`, `@hourly`. With seconds, Sunday is 1 and Saturday 7, `?` stands for any day, `L`, `W` and `#` are supported,
 * and a day must match both day fields. With five fields, Sunday is 0 or 7, and if neither day field is `*`, a day needs to
 * match only one of them. The last year is 2099. Ranges must ascend, except those of days of the week.
 *
 * When clocks are set forward, a skipped time fires once, at that instant. When clocks are set back, a repeated time fires
 * only the first time. An expression whose hour is `*` fires both times, so that it does not pause.
 */
public class Schedules internal constructor(context: LedgerContext) {
    private val saves = SaveSchedules(context)
    private val changes = ChangeSchedules(context)
    private val edits = EditSchedule(context)
    private val backfills = BackfillSchedule(context)
    private val reads = ReadSchedules(context)

    /**
     * Saves a schedule under its name. An existing schedule keeps its organization, its history and its active flag. It keeps
     * its next fire unless the cron expression, interval or zone changes. If the stored version is newer, the stored schedule
     * is not changed and is returned. The scope is that of the request's organization.
     *
     * Refused with `job_schedule.invalid_cron` and a description of the mistake; with
     * `job_schedule.definition_not_found_or_disabled` if the job type is unknown, or disabled while the schedule is active;
     * with `db.unique_violation` if a schedule outside the scope has the name.
     */
    public fun upsert(request: ScheduleRequest): Schedule = upsert(request.ownScope(), request)

    /**
     * [upsert] of a schedule in [scope]. Refused with `request.invalid` if the organization of the request is outside the scope.
     */
    public fun upsert(scope: Scope, request: ScheduleRequest): Schedule = saves.upsert(scope, request)

    /**
     * Saves a set of schedules, all or none. Unlike [upsert], it also saves the active flag, unless an operator paused or
     * resumed the schedule: that stays in effect until the opposite call. A schedule that becomes active continues with its
     * next fire after now. Other schedules are not changed. Schedules that are stored with a newer version are not changed
     * either; [ScheduleSync.outdated] lists them. A name given twice is refused.
     */
    public fun sync(scope: Scope, requests: List<ScheduleRequest>): ScheduleSync = saves.sync(scope, requests)

    /**
     * Works like [sync], and pauses the schedules in [names] that are not in [requests], unless an operator resumed them. An
     * empty list of requests pauses all of them. A request whose name is not in [names] is refused. Nothing is deleted.
     */
    public fun syncExactly(scope: Scope, requests: List<ScheduleRequest>, names: Set<String>): ScheduleSync =
        saves.syncExactly(scope, requests, names)

    /**
     * Stops a schedule from firing until [resume], whatever code declares. Repeatable. The history records the time and the
     * [reason]. An instant that is waiting to fire is skipped, and the findings of a trigger's poll in progress are not
     * started. Refused with `job_schedule.not_found`.
     */
    @JvmOverloads
    public fun pause(scope: Scope, name: String, reason: String? = null): Schedule = changes.pause(scope, name, reason)

    /**
     * Lets a paused schedule fire again. Repeatable. Instants during the pause are not made up for, whatever the misfire
     * policy: the next fire is after now. The history records the time and the [reason]. Refused with
     * `job_schedule.definition_not_found_or_disabled` while a job type of the schedule is disabled.
     */
    @JvmOverloads
    public fun resume(scope: Scope, name: String, reason: String? = null): Schedule = changes.resume(scope, name, reason)

    /**
     * Moves the next fire to exactly [nextFireAt], without jitter. An interval counts from there. A time in the past is due at
     * once. The [reason] is stored with the action of an operator ([Ledger.actingAs]). Refused with `job_schedule.not_found`.
     */
    @JvmOverloads
    public fun retime(scope: Scope, name: String, nextFireAt: Instant, reason: String? = null): Schedule =
        changes.retime(scope, name, nextFireAt, reason)

    /**
     * Changes the rule or the payload of a schedule, as an operator does. If the rule changes, the next fire is the first one
     * after now, and a deferred instant is not retried; otherwise the next fire stays. The code that declares the schedule
     * knows nothing of the edit: the next [upsert] or [sync] with the stored version or a newer one overwrites it. The
     * [reason] is stored with the action of an operator ([Ledger.actingAs]), together with the old and the new rule.
     *
     * Refused with `job_schedule.changed` if the rule or the payload is not that of [ScheduleEdit.basis] any more; with
     * `job_schedule.not_found`; with `job_schedule.invalid_cron` and a description of the mistake; with `request.invalid` for
     * a trigger, and for the payload of a schedule that starts workflows.
     */
    @JvmOverloads
    public fun edit(scope: Scope, edit: ScheduleEdit, reason: String? = null): Schedule = edits.edit(scope, edit, reason)

    /** [edit] of [basis], the schedule as it was read, by what [change] sets: `edit(scope, read, why) { it.cron("@daily") }`. */
    public fun edit(scope: Scope, basis: Schedule, reason: String?, change: Consumer<ScheduleEdit.Builder>): Schedule =
        edit(scope, ScheduleEdit.of(basis).also(change::accept).build(), reason)

    /**
     * Fires every instant of the schedule's rule from [from] until before [until], which must be in the past: it creates a job
     * or starts a run for each, also if the schedule is paused, whatever its misfire and overlap policies say. The rule is
     * applied as it is now, also to times before the schedule was saved; an interval counts from its last anchor in both
     * directions. Handlers see the instant in the payload, as for any other fire. The history has a line for each, with the
     * cause [FireCause.BACKFILL] and the [reason]. The regular fires do not change, and the overlap policy does not count
     * these jobs and runs.
     *
     * Instants that the schedule or an earlier backfill has fired are left out, by the lines of the history, which is kept for
     * a limited time. With [includeFired] they fire again, at each call. If the schedule is active, instants from its next
     * fire on are left to it.
     *
     * Works in short transactions. If it fails partway, what was fired stays fired, and a repetition completes it. Two calls
     * at the same time fire no instant twice. In a joined transaction, all of it is part of that transaction.
     *
     * Refused with `job_schedule.invalid_backfill_range` if the range is empty or ends in the future, by more than the minute
     * that clocks may differ; with `job_schedule.backfill_too_large` beyond [BackfillReport.MOST_INSTANTS] instants, fired
     * ones included; with `job_schedule.not_found`; with `job_schedule.definition_not_found_or_disabled`; with
     * `request.invalid` for a trigger.
     */
    @JvmOverloads
    public fun backfill(
        scope: Scope,
        name: String,
        from: Instant,
        until: Instant,
        reason: String? = null,
        includeFired: Boolean = false,
    ): BackfillReport = backfills.backfill(scope, name, BackfillRange(from, until), reason, includeFired)

    /** What [backfill] would fire now, with the same refusals for the range. Changes nothing. */
    @JvmOverloads
    public fun previewBackfill(
        scope: Scope,
        name: String,
        from: Instant,
        until: Instant,
        includeFired: Boolean = false,
    ): BackfillPreview = backfills.preview(scope, name, BackfillRange(from, until), includeFired)

    /**
     * Creates a job or starts a run at once, even if the schedule is paused or the run overlaps another, and records it with
     * the [reason]. The regular fires do not change, but the overlap policy counts the new job or run as the last one. Each
     * call creates another one.
     */
    @JvmOverloads
    public fun fireNow(scope: Scope, name: String, reason: String? = null): ScheduleFire = changes.fireNow(scope, name, reason)

    /**
     * Deletes a schedule and its history. Its jobs and runs stay. The [reason] is stored with the action of an operator
     * ([Ledger.actingAs]). Returns false if there is no such schedule.
     */
    @JvmOverloads
    public fun delete(scope: Scope, name: String, reason: String? = null): Boolean = changes.delete(scope, name, reason)

    /** The schedule, or null if there is none in [scope]. */
    public fun find(scope: Scope, name: String): Schedule? = reads.find(scope, name)

    /** The schedule. Refused with `job_schedule.not_found` if there is none in [scope]. */
    public fun get(scope: Scope, name: String): Schedule = reads.get(scope, name)

    /**
     * A page of schedules, in order of name. To read the next page, pass [Page.next] as [after]. Refused with
     * `job.invalid_pagination` unless [limit] is 1 to 1,000.
     */
    @JvmOverloads
    public fun list(scope: Scope, limit: Int = JobQuery.DEFAULT_LIMIT, after: String? = null): Page<Schedule> =
        reads.list(scope, limit, after)

    /**
     * A page of the history of a schedule, newest first: the outcome and time of each instant with its job or run, manual fires,
     * pauses and resumes. One entry covers a series of missed instants. Empty if there is no such schedule. To read the next
     * page, pass [Page.next] as [after]. A cursor stays valid after its entry is deleted.
     *
     * Refused with `job.invalid_pagination` unless [limit] is 1 to 1,000 and [after] is a cursor of this method.
     */
    @JvmOverloads
    public fun fires(
        scope: Scope,
        name: String,
        limit: Int = JobQuery.DEFAULT_LIMIT,
        after: String? = null,
    ): Page<ScheduleFire> = reads.fires(scope, name, limit, after)

    /**
     * The next [count] fires (1 to 1,000) of a saved schedule, including jitter. Returns fewer if the expression has no more.
     * Refused with `job_schedule.not_found`.
     */
    public fun upcoming(scope: Scope, name: String, count: Int): List<Instant> = reads.upcoming(scope, name, count)

    public companion object {
        /** The next [count] fires (1 to 1,000) of a schedule saved at [after], without jitter. Does not access the database. */
        @JvmStatic
        public fun preview(request: ScheduleRequest, after: Instant, count: Int): List<Instant> =
            ReadSchedules.preview(request, after, count)

        /**
         * The times of a cron expression in English: "at 09:30 on Monday to Friday", "every 15 minutes", "at 00:00 on the last
         * day of the month". If the times depend on a [zone], it follows in brackets. Two expressions with the same description
         * fire at the same times. An expression that has no words, such as `L-3`, is described field by field. Does not access
         * the database.
         *
         * Refused with `job_schedule.invalid_cron` and a description of the mistake.
         */
        @JvmStatic
        @JvmOverloads
        public fun describe(cron: String, zone: ZoneId? = null): String = DescribeSchedule.cron(cron, zone?.id)

        /**
         * An interval in English: "every 15 minutes". It is rounded up to whole seconds, as a schedule does. Refused with
         * `job_schedule.invalid_interval` if it is shorter than a second.
         */
        @JvmStatic
        public fun describe(interval: Duration): String = DescribeSchedule.interval(interval)

        /** The times of [schedule] in English: those of its cron expression with its time zone, or its interval. */
        @JvmStatic
        public fun describe(schedule: Schedule): String = DescribeSchedule.schedule(schedule)

        private fun ScheduleRequest.ownScope(): Scope = organizationId()?.let(Scope::organization) ?: Scope.global()
    }
}

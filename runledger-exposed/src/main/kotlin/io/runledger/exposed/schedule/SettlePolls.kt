package io.runledger.exposed.schedule

import io.runledger.exposed.context.LedgerContext
import io.runledger.exposed.intake.EnqueueJobs
import io.runledger.exposed.sql.IsolateRefusals
import io.runledger.exposed.sql.LockWait
import io.runledger.exposed.sql.exception
import io.runledger.exposed.sql.instant
import io.runledger.exposed.sql.isAboutOneRow
import io.runledger.exposed.sql.row
import io.runledger.exposed.sql.rows
import io.runledger.exposed.workflow.EnqueueRuns
import io.runledger.model.error.ErrorCategory
import io.runledger.model.error.ErrorCode
import io.runledger.model.error.RunledgerException
import io.runledger.model.schedule.FireOutcome
import io.runledger.model.schedule.PollResult
import io.runledger.model.schedule.Schedule
import io.runledger.model.schedule.ScheduleFire
import io.runledger.model.schedule.TakenPoll
import io.runledger.model.text.Text
import java.sql.Connection
import java.time.Instant
import java.util.UUID

/** Ends polls: starts their results, records them and moves the trigger on, in one transaction that holds the trigger's lock. */
internal class SettlePolls(private val context: LedgerContext) {
    private val jobs = EnqueueJobs(context)
    private val runs = EnqueueRuns(context)

    /** A refusal concerns a single result also if the result is invalid, or if its key was used for another request. */
    private val isolation = IsolateRefusals { it.code().category() in refusals || it.isAboutOneRow() }

    fun settle(poll: TakenPoll, result: PollResult): List<ScheduleFire> = isolation.attempt(
        { ending(poll) { connection, trigger -> started(connection, trigger, result, ::start) } },
        { ending(poll, LockWait.ONE_BY_ONE) { connection, trigger -> started(connection, trigger, result, ::startEach) } },
    )

    fun fail(poll: TakenPoll, reason: String): List<ScheduleFire> =
        ending(poll) { _, _ -> listOf(Line(FireOutcome.FAILED, code = ErrorCode.POLL_FAILED, reason = reason)) }

    /** Starts the new keys of [result] with [start]. If the trigger was paused meanwhile, starts nothing. */
    private fun started(
        connection: Connection,
        trigger: Schedule,
        result: PollResult,
        start: (Connection, List<PollResult.Start>) -> List<Line>,
    ): List<Line> {
        if (result.starts().isEmpty()) return listOf(Line(FireOutcome.SKIPPED_POLL, reason = result.reason()))
        if (!trigger.active()) return listOf(Line(FireOutcome.SKIPPED_POLL, reason = PAUSED_MEANWHILE))
        val found = result.starts().distinctBy { it.dedupKey() }
        val known = known(connection, trigger.id(), found.map { it.dedupKey() })
        val fresh = found.filter { it.dedupKey() !in known }
        if (fresh.isEmpty()) return listOf(Line(FireOutcome.SKIPPED_DUPLICATE, reason = "The poll found only known keys."))
        return start(connection, fresh)
    }

    /** Starts the results one by one behind savepoints: the lock on the trigger, and so its transaction, stays the same. */
    private fun startEach(connection: Connection, finds: List<PollResult.Start>): List<Line> =
        isolation.oneByOne(finds, ::failed) { find ->
            context.transactions.part(connection) { start(it, listOf(find)).single() }
        }

    private fun failed(find: PollResult.Start, refusal: RunledgerException) =
        Line(FireOutcome.FAILED, find.dedupKey(), code = refusal.code(), reason = refusal.message)

    private fun start(connection: Connection, finds: List<PollResult.Start>): List<Line> {
        val (forJobs, forRuns) = finds.partition { it.job() != null }
        val jobIds = jobs.enqueue(connection, forJobs.map { it.job()!! }).map { it.id() }
        val runIds = runs.enqueue(connection, forRuns.map { it.workflow()!! }).map { it.runId() }
        return forJobs.zip(jobIds) { start, id -> Line(FireOutcome.FIRED, start.dedupKey(), jobId = id) } +
            forRuns.zip(runIds) { start, id -> Line(FireOutcome.FIRED, start.dedupKey(), runId = id) }
    }

    private fun known(connection: Connection, trigger: UUID, keys: List<String>): Set<String> = connection.rows(
        context.statements["schedule/poll_known"],
        {
            uuid("schedule_id", trigger)
            texts("dedup_keys", keys)
        },
    ) { getString("dedup_key") }.toSet()

    private fun ending(
        poll: TakenPoll,
        wait: LockWait = LockWait.TOGETHER,
        lines: (Connection, Schedule) -> List<Line>,
    ): List<ScheduleFire> = context.transactions.runBriefly(wait) { connection ->
        val (stored, now) = lock(connection, poll)
        val noted = lines(connection, stored.schedule)
        val next = stored.recurrence().next(now) ?: now
        note(connection, poll, noted, now, next)
    }

    private fun lock(connection: Connection, poll: TakenPoll): Pair<StoredSchedule, Instant> = connection.row(
        context.statements["schedule/poll_lock"],
        {
            uuid("schedule_id", poll.scheduleId())
            uuid("poll_id", poll.pollId())
        },
    ) { storedSchedule() to instant("database_now") } ?: throw ErrorCode.POLL_LOST.exception(
        "This worker no longer holds the poll of trigger ${Text.quoted(poll.name())}: the lease expired, or the trigger was " +
            "deleted.",
    )

    private fun note(
        connection: Connection,
        poll: TakenPoll,
        lines: List<Line>,
        now: Instant,
        next: Instant,
    ): List<ScheduleFire> = connection.rows(
        context.statements["schedule/poll_settle"],
        {
            texts("dedup_keys", lines.map { it.dedupKey })
            wires("outcomes", lines.map { it.outcome })
            uuids("job_ids", lines.map { it.jobId })
            uuids("run_ids", lines.map { it.runId })
            texts("error_codes", lines.map { it.code?.wire() })
            texts("reasons", lines.map { line -> line.reason?.let(Text::storable) })
            uuid("schedule_id", poll.scheduleId())
            instant("scheduled_for", poll.scheduledFor())
            instant("now", now)
            instant("next_fire_at", next)
        },
    ) { scheduleFire() }

    private class Line(
        val outcome: FireOutcome,
        val dedupKey: String = "",
        val jobId: UUID? = null,
        val runId: UUID? = null,
        val code: ErrorCode? = null,
        val reason: String? = null,
    )

    private companion object {
        const val PAUSED_MEANWHILE = "The trigger was paused during the poll, so the results are not started."
        val refusals = setOf(ErrorCategory.VALIDATION, ErrorCategory.CONFLICT)
    }
}

package io.runledger.exposed.schedule

import io.runledger.exposed.LedgerContext
import io.runledger.exposed.intake.EnqueueJobs
import io.runledger.exposed.sql.LockWait
import io.runledger.exposed.sql.exception
import io.runledger.exposed.sql.instant
import io.runledger.exposed.sql.isAboutARow
import io.runledger.exposed.sql.isHeldElsewhere
import io.runledger.exposed.sql.row
import io.runledger.exposed.sql.rows
import io.runledger.exposed.workflow.EnqueueRuns
import io.runledger.model.error.ErrorCategory
import io.runledger.model.error.ErrorCode
import io.runledger.model.error.RunledgerException
import io.runledger.model.id.Text
import io.runledger.model.spec.PollResult
import io.runledger.model.state.FireOutcome
import io.runledger.model.state.Schedule
import io.runledger.model.state.ScheduleFire
import io.runledger.model.state.TakenPoll
import java.sql.Connection
import java.time.Instant
import java.util.UUID

/** Ends polls: starts what they found, notes it and moves the trigger on, in one transaction that holds the trigger's lock. */
internal class SettlePolls(private val context: LedgerContext) {
    private val jobs = EnqueueJobs(context)
    private val runs = EnqueueRuns(context)

    fun settle(poll: TakenPoll, result: PollResult): List<ScheduleFire> = try {
        ending(poll) { connection, trigger -> started(connection, trigger, result, ::start) }
    } catch (refused: RunledgerException) {
        if (!refused.isAboutAFind()) throw refused
        ending(poll, LockWait.ONE_BY_ONE) { connection, trigger -> started(connection, trigger, result, ::startEach) }
    }

    fun fail(poll: TakenPoll, reason: String): List<ScheduleFire> =
        ending(poll) { _, _ -> listOf(Line(FireOutcome.FAILED, code = ErrorCode.POLL_FAILED, reason = reason)) }

    /** Starts what [result] names and was not found before through [start]; nothing when the trigger was paused meanwhile. */
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
        if (fresh.isEmpty()) return listOf(Line(FireOutcome.SKIPPED_DUPLICATE, reason = "Found only what was found before."))
        return start(connection, fresh)
    }

    /** One by one: what cannot be started fails alone. */
    private fun startEach(connection: Connection, finds: List<PollResult.Start>): List<Line> = finds.map { find ->
        try {
            context.transactions.part(connection) { start(it, listOf(find)).single() }
        } catch (refused: RunledgerException) {
            if (!refused.isAboutAFind()) throw refused
            Line(FireOutcome.FAILED, find.dedupKey(), code = refused.code(), reason = refused.message)
        }
    }

    /** Also one whose key, say, another session is about to use. */
    private fun RunledgerException.isAboutAFind() = code().category() in refusals || isAboutARow() || isHeldElsewhere

    private fun start(connection: Connection, finds: List<PollResult.Start>): List<Line> {
        val (forJobs, forRuns) = finds.partition { it.job() != null }
        val jobIds = jobs.enqueue(connection, forJobs.map { it.job()!! }).map { it.id() }
        val runIds = runs.enqueue(connection, forRuns.map { it.workflow()!! }).map { it.runId() }
        return forJobs.zip(jobIds) { start, id -> Line(FireOutcome.FIRED, start.dedupKey(), jobId = id) } +
            forRuns.zip(runIds) { start, id -> Line(FireOutcome.FIRED, start.dedupKey(), runId = id) }
    }

    private fun known(connection: Connection, trigger: UUID, keys: List<String>): Set<String> = connection.rows(
        context.statements["poll_known"],
        {
            uuid(trigger)
            texts(keys)
        },
    ) { getString("dedup_key") }.toSet()

    private fun ending(
        poll: TakenPoll,
        wait: LockWait = LockWait.TOGETHER,
        lines: (Connection, Schedule) -> List<Line>,
    ): List<ScheduleFire> = context.transactions.runBriefly(wait) { connection ->
        val (stored, now) = lock(connection, poll)
        val noted = lines(connection, stored.schedule)
        val next = stored.rhythm().next(now) ?: now
        note(connection, poll, noted, now, next)
    }

    private fun lock(connection: Connection, poll: TakenPoll): Pair<StoredSchedule, Instant> = connection.row(
        context.statements["poll_lock"],
        {
            uuid(poll.scheduleId())
            uuid(poll.pollId())
        },
    ) { storedSchedule() to instant("database_now") } ?: throw ErrorCode.POLL_LOST.exception(
        "The poll of trigger ${Text.quoted(poll.name())} is no longer this worker's: it took too long, or the trigger is gone.",
    )

    private fun note(
        connection: Connection,
        poll: TakenPoll,
        lines: List<Line>,
        now: Instant,
        next: Instant,
    ): List<ScheduleFire> = connection.rows(
        context.statements["poll_settle"],
        {
            texts(lines.map { it.dedupKey })
            wires(lines.map { it.outcome })
            uuids(lines.map { it.jobId })
            uuids(lines.map { it.runId })
            texts(lines.map { it.code?.wire() })
            texts(lines.map { line -> line.reason?.let(Text::storable) })
            uuid(poll.scheduleId())
            instant(poll.scheduledFor())
            instant(now)
            instant(next)
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
        const val PAUSED_MEANWHILE = "Paused while the poll was under way: what it found is not started."
        val refusals = setOf(ErrorCategory.VALIDATION, ErrorCategory.CONFLICT)
    }
}

package io.runledger.exposed.read

import io.runledger.exposed.context.LedgerContext
import io.runledger.exposed.sql.instant
import io.runledger.exposed.sql.instantOrNull
import io.runledger.exposed.sql.row
import io.runledger.exposed.sql.scope
import io.runledger.exposed.sql.scoped
import io.runledger.model.history.JobReason
import io.runledger.model.job.JobStatus
import io.runledger.model.ledger.Scope
import java.sql.Connection
import java.time.Instant
import java.time.OffsetDateTime
import java.time.format.DateTimeParseException
import java.util.UUID

/** Explains why a job is not running: reads the rows of the job and, if it could run, a bounded part of the queue before it. */
internal class ExplainJob(private val context: LedgerContext) {
    fun why(scope: Scope, id: UUID): List<JobReason> = context.transactions.snapshot { connection ->
        val state = connection.state(scope, id) ?: throw jobNotFound(id)
        val isReady = state.job.status() == JobStatus.PENDING && state.isDue && !state.isPaused
        JobReasons.of(state, if (isReady) connection.queue(scope, id) else null)
    }

    private fun Connection.state(scope: Scope, id: UUID): JobState? = row(
        context.statements.scoped("read/why_job", scope),
        {
            uuid("job_id", id)
            scope(scope)
        },
    ) {
        val pause = instantOrNull("paused_at")?.let { RunPause(it, getString("pause_reason")) }
        val overtime = instantOrNull("overtime_since")?.let { Overtime(it, readable(getString("overtime_until"))) }
        JobState(
            job(),
            instant("read_at"),
            getBoolean("is_type_paused"),
            getBoolean("is_enabled"),
            stepOrNull(),
            pause,
            overtime,
        )
    }

    /** The stored time, or null if the value was edited by hand and is not a time. */
    private fun readable(json: String?): Instant? = try {
        json?.let(OffsetDateTime::parse)?.toInstant()
    } catch (_: DateTimeParseException) {
        null
    }

    private fun Connection.queue(scope: Scope, id: UUID): Queue = checkNotNull(
        row(
            context.statements.scoped("read/why_queue", scope),
            {
                uuid("job_id", id)
                int("limit", Queue.MOST_AHEAD)
                scope(scope)
            },
        ) {
            val lost = instantOrNull("lost_seen_at")?.let { LostWorker(getString("lost_worker_id"), it) }
            val service = Service(getBoolean("has_taker"), getBoolean("is_stopping"), lost)
            Queue(getInt("jobs_ahead"), getInt("jobs_seen") < Queue.MOST_AHEAD, instantOrNull("drained_since"), service)
        },
    )
}

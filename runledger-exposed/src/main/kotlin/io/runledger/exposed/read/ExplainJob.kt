package io.runledger.exposed.read

import io.runledger.exposed.LedgerContext
import io.runledger.exposed.sql.instant
import io.runledger.exposed.sql.instantOrNull
import io.runledger.exposed.sql.row
import io.runledger.exposed.sql.scope
import io.runledger.exposed.sql.scoped
import io.runledger.model.state.JobReason
import io.runledger.model.state.JobStatus
import io.runledger.model.state.Scope
import java.sql.Connection
import java.time.Instant
import java.time.OffsetDateTime
import java.time.format.DateTimeParseException
import java.util.UUID

/** Finds out why a job is not running: its own rows, and for a job that could run a bounded look at the queue before it. */
internal class ExplainJob(private val context: LedgerContext) {
    fun why(scope: Scope, id: UUID): List<JobReason> = context.transactions.snapshot { connection ->
        val standing = connection.standing(scope, id) ?: throw jobNotFound(id)
        val isReady = standing.job.status() == JobStatus.PENDING && standing.isDue && !standing.isHeldBack
        JobReasons.of(standing, if (isReady) connection.queue(scope, id) else null)
    }

    private fun Connection.standing(scope: Scope, id: UUID): Standing? = row(
        context.statements.scoped("why_job", scope),
        {
            uuid(id)
            scope(scope)
        },
    ) {
        val pause = instantOrNull("paused_at")?.let { RunPause(it, getString("pause_reason")) }
        val overtime = instantOrNull("overtime_since")?.let { Overtime(it, readable(getString("overtime_until"))) }
        Standing(
            job(),
            instant("asked_at"),
            getBoolean("is_type_paused"),
            getBoolean("is_enabled"),
            stepOrNull(),
            pause,
            overtime,
        )
    }

    /** Null for what was stored by hand and is no time. */
    private fun readable(json: String?): Instant? = try {
        json?.let(OffsetDateTime::parse)?.toInstant()
    } catch (_: DateTimeParseException) {
        null
    }

    private fun Connection.queue(scope: Scope, id: UUID): Queue = checkNotNull(
        row(
            context.statements.scoped("why_queue", scope),
            {
                uuid(id)
                repeat(3) { int(Queue.MOST_AHEAD) }
                scope(scope)
                int(Queue.MOST_AHEAD)
            },
        ) {
            val lost = instantOrNull("lost_seen_at")?.let { LostWorker(getString("lost_worker_id"), it) }
            val service = Service(getBoolean("has_taker"), getBoolean("is_stopping"), lost)
            Queue(getInt("jobs_ahead"), getInt("jobs_seen") < Queue.MOST_AHEAD, instantOrNull("drained_since"), service)
        },
    )
}

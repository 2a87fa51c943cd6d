package io.runledger.exposed.read

import io.runledger.exposed.context.LedgerContext
import io.runledger.exposed.sql.instant
import io.runledger.exposed.sql.instantOrNull
import io.runledger.exposed.sql.row
import io.runledger.exposed.sql.scope
import io.runledger.exposed.sql.scoped
import io.runledger.model.history.JobReason
import io.runledger.model.job.Job
import io.runledger.model.job.JobStatus
import io.runledger.model.ledger.Scope
import java.sql.Connection
import java.time.Instant
import java.time.OffsetDateTime
import java.time.format.DateTimeParseException
import java.util.UUID

/** Explains why a job is not running: reads the rows of the job and, if it could run, a bounded part of the queue before it. */
internal class ExplainJob(private val context: LedgerContext) {
    private val flows = ExplainFlow(context)

    fun why(scope: Scope, id: UUID): List<JobReason> = context.transactions.snapshot { connection ->
        val state = connection.state(scope, id) ?: throw jobNotFound(id)
        val isReady = state.job.status() == JobStatus.PENDING && state.isDue && !state.isPaused
        JobReasons.of(state, if (isReady) connection.queue(scope, state.job) else null)
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

    /** The jobs ahead of one that its limits or its order stop are of no interest. */
    private fun Connection.queue(scope: Scope, job: Job): Queue {
        val flow = if (job.flow().isEmpty) null else flows.flow(this, scope, job)
        val service = service(job.id())
        if (flow?.isStopped == true) return Queue(0, true, service, flow)
        return checkNotNull(
            row(
                context.statements.scoped(if (flow == null) "read/why_queue" else "read/why_flow_queue", scope),
                {
                    uuid("job_id", job.id())
                    int("limit", Queue.MOST_AHEAD)
                    scope(scope)
                },
            ) { Queue(getInt("jobs_ahead"), getInt("jobs_seen") < Queue.MOST_AHEAD, service, flow) },
        )
    }

    private fun Connection.service(id: UUID): Service = checkNotNull(
        row(context.statements["read/why_service"], { uuid("job_id", id) }) {
            Service(
                getBoolean("has_taker"),
                getBoolean("is_served_elsewhere"),
                getBoolean("is_stopping"),
                instantOrNull("lost_seen_at")?.let { LostWorker(getString("lost_worker_id"), it) },
                instantOrNull("drained_since"),
            )
        },
    )
}

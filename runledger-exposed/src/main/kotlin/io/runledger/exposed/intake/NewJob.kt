package io.runledger.exposed.intake

import io.runledger.exposed.context.LedgerContext
import io.runledger.exposed.context.encoded
import io.runledger.exposed.json.StoredSettings
import io.runledger.exposed.json.settings
import io.runledger.exposed.json.storedForm
import io.runledger.exposed.json.storedHeaders
import io.runledger.exposed.sql.Binder
import io.runledger.model.job.EnqueuedJob
import io.runledger.model.job.JobRequest
import io.runledger.model.job.JobStatus
import io.runledger.model.json.Json
import io.runledger.model.ledger.Disposition
import io.runledger.model.value.HeaderSource
import io.runledger.model.value.UuidV7
import java.time.Duration
import java.util.UUID

/** A requested job with its id, in the form in which it is stored. */
internal class NewJob private constructor(
    val id: UUID,
    val request: JobRequest,
    val payload: Json,
    val settings: StoredSettings,
    val snapshot: Json?,
    val headers: Json?,
) {
    val isKeyed get() = request.idempotencyKey() != null

    val isDueAtOnce get() = (request.delay() ?: Duration.ZERO).isZero

    fun inserted(status: JobStatus = JobStatus.PENDING) = EnqueuedJob(id, Disposition.INSERTED, status, 1)

    companion object {
        fun of(request: JobRequest, context: LedgerContext): NewJob {
            val payload = context.encoded(request.payload(), "a '${request.jobType()}' job")
            val settings = request.settings().storedForm()
            val snapshot = request.idempotencyKey()?.let { RequestSnapshot.of(request, payload, settings) }
            val headers = context.headers.enqueued(request.headers(), HeaderSource.Kind.JOB, request.jobType()).storedHeaders()
            return NewJob(UuidV7.next(), request, payload, settings, snapshot, headers)
        }
    }
}

/** The parameters of a statement for one new job. */
internal fun Binder.newJob(job: NewJob) {
    uuid("id", job.id)
    text("job_type", job.request.jobType())
    uuid("organization_id", job.request.organizationId())
    json("payload", job.payload)
    settings(job.settings)
    instant("run_at", job.request.runAt())
    long("delay_us", job.request.delay()?.toMicros())
    text("idempotency_key", job.request.idempotencyKey())
    text("stage", job.request.stage().wire())
    json("enqueue_request", job.snapshot)
    json("headers", job.headers)
}

/** Rounded up, so that no job is due earlier than requested. */
internal fun Duration.toMicros(): Long = plusNanos(999).let { it.seconds * 1_000_000 + it.nano / 1_000 }

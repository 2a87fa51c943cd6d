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
import io.runledger.model.job.JobSettings
import io.runledger.model.job.JobStatus
import io.runledger.model.json.Json
import io.runledger.model.key.Debounce
import io.runledger.model.ledger.Disposition
import io.runledger.model.value.HeaderSource
import io.runledger.model.value.UuidV7
import java.time.Duration
import java.time.Instant
import java.util.UUID

/** A requested job with its id, in the form in which it is stored. */
internal class NewJob private constructor(
    val id: UUID,
    val request: JobRequest,
    val payload: Json,
    val settings: StoredSettings,
    val snapshot: Json?,
    val headers: Json?,
    val runAt: Instant?,
    val delay: Duration?,
) {
    val isKeyed get() = request.idempotencyKey() != null

    /** Whether a rule decides if the job is inserted. */
    val isRuled get() = request.keyRule() != null

    val isDueAtOnce get() = (delay ?: Duration.ZERO).isZero

    fun inserted(status: JobStatus = JobStatus.PENDING) = EnqueuedJob(id, Disposition.INSERTED, status, 1)

    /** This job, not inserted yet, with what [change] replaces. */
    fun with(change: JobChange): NewJob = NewJob(
        id,
        request,
        change.payload ?: payload,
        if (change.setsPriority) settingsWith(change.priority) else settings,
        snapshot,
        if (change.payload == null) headers else change.headers,
        if (change.setsTime) change.runAt else runAt,
        if (change.setsTime) change.pause ?: change.delay else delay,
    )

    private fun settingsWith(priority: Int?): StoredSettings = request.settings().let {
        JobSettings(priority, it.maxAttempts(), it.timeout(), it.retryPolicy()).storedForm()
    }

    companion object {
        fun of(request: JobRequest, context: LedgerContext): NewJob {
            val payload = context.encoded(request.payload(), "a '${request.jobType()}' job")
            val settings = request.settings().storedForm()
            val snapshot = request.idempotencyKey()?.let { RequestSnapshot.of(request, payload, settings) }
            val headers = context.headers.enqueued(request.headers(), HeaderSource.Kind.JOB, request.jobType()).storedHeaders()
            val delay = (request.keyRule() as? Debounce)?.pause() ?: request.delay()
            return NewJob(UuidV7.next(), request, payload, settings, snapshot, headers, request.runAt(), delay)
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
    instant("run_at", job.runAt)
    long("delay_us", job.delay?.toMicros())
    text("idempotency_key", job.request.idempotencyKey())
    text("stage", job.request.stage().wire())
    json("enqueue_request", job.snapshot)
    json("headers", job.headers)
}

/** Rounded up, so that no job is due earlier than requested. */
internal fun Duration.toMicros(): Long = plusNanos(999).let { it.seconds * 1_000_000 + it.nano / 1_000 }

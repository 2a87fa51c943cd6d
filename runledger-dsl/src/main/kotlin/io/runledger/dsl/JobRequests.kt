package io.runledger.dsl

import io.runledger.model.job.JobRequest
import io.runledger.model.job.JobStage
import io.runledger.model.job.JobType
import io.runledger.model.key.ReplacedPart
import io.runledger.model.key.Uniqueness
import java.time.Instant
import java.util.UUID
import kotlin.time.Duration
import kotlin.time.toJavaDuration

/**
 * Creates a job request. Values that are not set are taken from the job type's definition when the job is enqueued.
 *
 * `client.jobs.enqueue(jobRequest(sendInvoice, SendInvoice("A-1")) { delay(5.minutes); maxAttempts(3) })`
 *
 * @throws io.runledger.model.error.InvalidRequestException with the code of the first invalid value
 */
@JvmSynthetic
public fun <P : Any> jobRequest(type: JobType<P>, payload: P, block: JobRequestScope.() -> Unit = {}): JobRequest {
    val builder = JobRequest.builder(type, payload)
    JobRequestScope(builder).block()
    return builder.build()
}

/** The body of [jobRequest]. */
@RunledgerDsl
public class JobRequestScope internal constructor(private val request: JobRequest.Builder) : JobFlowScope(request) {
    /** Sets the organization; a job without one is global. */
    public fun organization(organizationId: UUID) {
        request.organization(organizationId)
    }

    /** Delays the job after the enqueue, by the database's clock. */
    public fun delay(delay: Duration) {
        request.delay(delay.toJavaDuration())
    }

    /** Makes the job due at an instant. If the instant is in the past, the job is due immediately. */
    public fun runAt(runAt: Instant) {
        request.runAt(runAt)
    }

    /**
     * Makes the enqueue idempotent: the same key with the same request returns the existing job; with another request
     * it causes a conflict.
     */
    public fun idempotencyKey(idempotencyKey: String) {
        request.idempotencyKey(idempotencyKey)
    }

    /**
     * Enqueues the job only if no earlier job with the same key stands in the way: otherwise the answer is the earlier job.
     * The rest of the request is not compared.
     */
    public fun unique(uniqueness: Uniqueness) {
        request.unique(uniqueness)
    }

    /**
     * Enqueues at most one job with this key per period. Within the period, the answer is the job that began it, whatever its
     * state.
     */
    public fun throttle(key: String, every: Duration) {
        request.throttle(key, every.toJavaDuration())
    }

    /**
     * Makes the job due when no enqueue with this key has come for [pause], and at the latest [atMost] after the first. The
     * payload and the headers of the last enqueue count; other settings are those of the first.
     */
    public fun debounce(key: String, pause: Duration, atMost: Duration) {
        request.debounce(key, pause.toJavaDuration(), atMost.toJavaDuration())
    }

    /** Replaces the given [parts] of the job with this key if that job still waits. Otherwise enqueues a job. */
    public fun replacePending(key: String, vararg parts: ReplacedPart) {
        request.replacePending(key, *parts)
    }

    /**
     * Adds a header: a name of 1 to 128 printable ASCII characters without spaces, and any text. Headers are not encrypted:
     * they must not contain secrets.
     */
    public fun header(name: String, value: String) {
        request.header(name, value)
    }

    /** Adds headers; see [header]. */
    public fun headers(headers: Map<String, String>) {
        request.headers(headers)
    }

    /** Sets the initial stage of the job. */
    public fun stage(stage: JobStage) {
        request.stage(stage)
    }
}

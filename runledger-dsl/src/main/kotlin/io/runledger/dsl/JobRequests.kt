package io.runledger.dsl

import io.runledger.model.policy.RetryPolicy
import io.runledger.model.spec.JobRequest
import io.runledger.model.spec.JobType
import io.runledger.model.state.JobStage
import java.time.Instant
import java.util.UUID
import kotlin.time.Duration
import kotlin.time.toJavaDuration

/**
 * Asks for a job. What is not said is taken from the type's definition when the job is enqueued.
 *
 * `client.jobs.enqueue(jobRequest(sendInvoice, SendInvoice("A-1")) { delay(5.minutes); maxAttempts(3) })`
 *
 * @throws io.runledger.model.error.InvalidRequestException with the code of the first value that is not valid
 */
@JvmSynthetic
public fun <P : Any> jobRequest(type: JobType<P>, payload: P, block: JobRequestScope.() -> Unit = {}): JobRequest {
    val builder = JobRequest.builder(type, payload)
    JobRequestScope(builder).block()
    return builder.build()
}

/** The body of [jobRequest]. */
@RunledgerDsl
public class JobRequestScope internal constructor(private val request: JobRequest.Builder) {
    /** Gives the job to an organization. */
    public fun organization(organizationId: UUID) {
        request.organization(organizationId)
    }

    /** Larger is claimed earlier. */
    public fun priority(priority: Int) {
        request.priority(priority)
    }

    /** How often the job is tried, 1 or more. */
    public fun maxAttempts(maxAttempts: Int) {
        request.maxAttempts(maxAttempts)
    }

    /** How long one attempt may run; at least a second, rounded up to whole seconds. */
    public fun timeout(timeout: Duration) {
        request.timeout(timeout.toJavaDuration())
    }

    /** Makes the job due some time after it is enqueued, by the database's clock. */
    public fun delay(delay: Duration) {
        request.delay(delay.toJavaDuration())
    }

    /** Makes the job due at an instant; one in the past is due at once. */
    public fun runAt(runAt: Instant) {
        request.runAt(runAt)
    }

    /** Makes the enqueue repeatable: the same key with the same request gives the existing job, with another a conflict. */
    public fun idempotencyKey(idempotencyKey: String) {
        request.idempotencyKey(idempotencyKey)
    }

    /** The stage the job starts in. */
    public fun stage(stage: JobStage) {
        request.stage(stage)
    }

    /** How this job's failures are retried, whatever its type says. */
    public fun retryPolicy(retryPolicy: RetryPolicy) {
        request.retryPolicy(retryPolicy)
    }

    /** How this job's failures are retried, whatever its type says. */
    public fun retryPolicy(block: RetryPolicyScope.() -> Unit) {
        request.retryPolicy(RetryPolicyScope.read(block))
    }
}

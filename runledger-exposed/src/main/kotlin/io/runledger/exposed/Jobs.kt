package io.runledger.exposed

import io.runledger.exposed.intake.EnqueueJobs
import io.runledger.model.spec.JobRequest
import io.runledger.model.spec.JobType
import io.runledger.model.state.EnqueuedJob

/** Enqueues jobs and changes what becomes of them. */
public class Jobs internal constructor(context: LedgerContext) {
    private val intake = EnqueueJobs(context)

    /**
     * Enqueues a job. With an idempotency key the call can be repeated: the same request gives the existing job, whatever its
     * status and even if its type was disabled since; another request under the key is refused with
     * `job.idempotency_conflict`.
     *
     * Refused with `job.definition_not_found_or_disabled`, `job.payload_too_large`, `job.invalid_payload`, or for a key in a
     * joined transaction that is not READ COMMITTED with `job.enqueue_idempotency_unsupported_isolation`.
     */
    public fun enqueue(request: JobRequest): EnqueuedJob = intake.enqueue(listOf(request)).single()

    /** Enqueues a job with everything but type and payload left to the type's definition. */
    public fun <P : Any> enqueue(type: JobType<P>, payload: P): EnqueuedJob = enqueue(JobRequest.of(type, payload))

    /**
     * Enqueues many jobs at once: all of them, or none when one is refused. Answers in the order of [requests]. The number of
     * statements does not depend on how many there are.
     */
    public fun enqueueAll(requests: List<JobRequest>): List<EnqueuedJob> = intake.enqueue(requests)
}

package io.runledger.coroutines

import io.runledger.model.handler.BatchOutcome
import io.runledger.model.handler.JobContext

/**
 * A handler that runs several jobs of a type in one call, and suspends instead of blocking. Each job keeps its own lease,
 * timeout, cancellation and outcome. If a job times out, is canceled or loses its lease, its `cancellation()` is requested and
 * its outcome is ignored; the call continues for the others. If all jobs of the call are asked to stop, its coroutine is
 * cancelled.
 */
public fun interface SuspendingBatchJobHandler<P> {
    /**
     * Does the work of one attempt of each of the [jobs]. It may run more than once for the same job, so its effects must be
     * repeatable. An exception fails every job of the call. A job without an outcome fails with `job.handler_failed`.
     */
    public suspend fun handle(jobs: List<JobContext<P>>): BatchOutcome
}

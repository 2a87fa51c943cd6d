package io.runledger.coroutines

import io.runledger.model.handler.JobOutcome

/**
 * A handler that suspends instead of blocking. It returns expected outcomes as values. An exception is a retryable failure; an
 * `Error` is not retried. Cancellation (timeout, lost lease, cancel, shutdown) arrives as coroutine cancellation.
 */
public fun interface SuspendingJobHandler<P> {
    /** Does the work of one attempt. It may run more than once for the same job, so its effects must be repeatable. */
    public suspend fun handle(job: SuspendingJobContext<P>): JobOutcome
}

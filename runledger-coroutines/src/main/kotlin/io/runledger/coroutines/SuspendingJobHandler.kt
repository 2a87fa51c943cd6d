package io.runledger.coroutines

import io.runledger.model.run.JobContext
import io.runledger.model.run.JobOutcome

/**
 * A handler that suspends instead of blocking. Expected endings are values; an exception it throws is a retryable failure, an
 * `Error` is not retried. Cancellation (timeout, lost lease, cancel, shutdown) arrives as coroutine cancellation.
 */
public fun interface SuspendingJobHandler<P> {
    /** Does the work of one attempt. May run more than once for the same job: make effects repeatable. */
    public suspend fun handle(job: JobContext<P>): JobOutcome
}

package io.runledger.coroutines

import io.runledger.model.handler.JobContext
import io.runledger.model.handler.JobOutcome
import java.util.concurrent.CompletionStage
import java.util.function.Supplier

/**
 * Wraps every handler of a worker, for example to open a trace or to count. The first interceptor registered is the outermost.
 * It may inspect the outcome, replace it, or skip the handler. An exception it throws counts as the handler's. Batch handlers are
 * not wrapped, because a call of them has several jobs.
 */
public fun interface JobInterceptor {
    /** Calls [next] at most once, and returns the outcome of the attempt. */
    public suspend fun intercept(job: SuspendingJobContext<*>, next: suspend () -> JobOutcome): JobOutcome
}

/** A [JobInterceptor] for Java. */
public fun interface AsyncJobInterceptor {
    /** Calls [next] at most once, and returns the outcome of the attempt. Must not block. */
    public fun intercept(job: JobContext<*>, next: Supplier<CompletionStage<JobOutcome>>): CompletionStage<JobOutcome>
}

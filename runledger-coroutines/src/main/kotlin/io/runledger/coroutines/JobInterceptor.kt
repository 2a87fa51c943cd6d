package io.runledger.coroutines

import io.runledger.model.run.JobContext
import io.runledger.model.run.JobOutcome
import java.util.concurrent.CompletionStage
import java.util.function.Supplier

/**
 * Wraps every handler of a worker, for example to open a trace or to count. The first one registered is the outermost. It may
 * look at the outcome, replace it, or not call the handler at all; what it throws counts as the handler's.
 */
public fun interface JobInterceptor {
    /** Calls [next] once and answers how the attempt ends. */
    public suspend fun intercept(job: JobContext<*>, next: suspend () -> JobOutcome): JobOutcome
}

/** A [JobInterceptor] for Java. */
public fun interface AsyncJobInterceptor {
    /** Asks [next] for the handler's outcome, once, and answers how the attempt ends. Must not block. */
    public fun intercept(job: JobContext<*>, next: Supplier<CompletionStage<JobOutcome>>): CompletionStage<JobOutcome>
}

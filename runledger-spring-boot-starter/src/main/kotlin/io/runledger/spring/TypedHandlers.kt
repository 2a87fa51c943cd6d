package io.runledger.spring

import io.runledger.coroutines.SuspendingJobHandler
import io.runledger.model.handler.AsyncJobHandler
import io.runledger.model.handler.JobHandler
import io.runledger.model.job.JobType

/** A handler with its job type, as a bean. It may block its thread. The worker runs it as `Handlers.Builder.blocking` does. */
public interface TypedJobHandler<P : Any> : JobHandler<P> {
    /** The type of the jobs that the handler runs. Called once. */
    public fun jobType(): JobType<P>
}

/**
 * A handler that returns a `CompletionStage`, with its job type, as a bean. The worker runs it as `Handlers.Builder.async`
 * does.
 */
public interface TypedAsyncJobHandler<P : Any> : AsyncJobHandler<P> {
    /** The type of the jobs that the handler runs. Called once. */
    public fun jobType(): JobType<P>
}

/** A handler that suspends, with its job type, as a bean. The worker runs it as `Handlers.Builder.suspending` does. */
public interface TypedSuspendingJobHandler<P : Any> : SuspendingJobHandler<P> {
    /** The type of the jobs that the handler runs. Called once. */
    public fun jobType(): JobType<P>
}

package io.runledger.coroutines.run

import io.runledger.coroutines.SuspendingJobHandler
import io.runledger.model.run.AsyncJobHandler
import io.runledger.model.run.JobContext
import io.runledger.model.run.JobHandler
import io.runledger.model.run.JobOutcome
import kotlinx.coroutines.CoroutineDispatcher
import kotlinx.coroutines.future.await
import kotlinx.coroutines.runInterruptible

/** Any kind of handler, seen as a suspending function. */
internal fun interface AttemptHandler<P> {
    suspend fun attempt(job: JobContext<P>, blocking: CoroutineDispatcher): JobOutcome?
}

internal fun <P> suspendingAttempt(handler: SuspendingJobHandler<P>) = AttemptHandler<P> { job, _ -> handler.handle(job) }

/** Cancellation interrupts the thread. */
internal fun <P> blockingAttempt(handler: JobHandler<P>) = AttemptHandler<P> { job, blocking ->
    runInterruptible(blocking) {
        try {
            handler.handle(job)
        } finally {
            // A mark the handler leaves on a pooled thread would stop whatever runs there next.
            Thread.interrupted()
        }
    }
}

/** Cancellation cancels the stage's future. */
internal fun <P> asyncAttempt(handler: AsyncJobHandler<P>) = AttemptHandler<P> { job, _ ->
    val stage = checkNotNull(handler.handle(job)) { "The handler returned null instead of a CompletionStage." }
    stage.await()
}

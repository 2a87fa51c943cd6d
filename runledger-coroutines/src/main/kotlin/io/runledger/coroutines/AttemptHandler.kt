package io.runledger.coroutines

import io.runledger.model.handler.AsyncJobHandler
import io.runledger.model.handler.JobContext
import io.runledger.model.handler.JobHandler
import io.runledger.model.handler.JobOutcome
import kotlinx.coroutines.CoroutineDispatcher
import kotlinx.coroutines.future.await
import kotlinx.coroutines.runInterruptible

/** Any kind of handler, seen as a suspending function. */
internal fun interface AttemptHandler<P> {
    suspend fun attempt(job: JobContext<P>, blocking: CoroutineDispatcher): JobOutcome?
}

internal fun <P> suspendingAttempt(handler: SuspendingJobHandler<P>) =
    AttemptHandler<P> { job, _ -> handler.handle(SuspendingJobContext(job)) }

/** Cancellation interrupts the thread. */
internal fun <P> blockingAttempt(handler: JobHandler<P>) =
    AttemptHandler<P> { job, blocking -> interruptible(blocking) { handler.handle(job) } }

internal suspend fun <T> interruptible(blocking: CoroutineDispatcher, handle: () -> T): T = runInterruptible(blocking) {
    try {
        handle()
    } finally {
        // An interrupt flag that the handler leaves set on a pooled thread would interrupt the next task on it.
        Thread.interrupted()
    }
}

/** Cancellation cancels the stage's future. */
internal fun <P> asyncAttempt(handler: AsyncJobHandler<P>) = AttemptHandler<P> { job, _ ->
    val stage = checkNotNull(handler.handle(job)) { "The handler returned null instead of a CompletionStage." }
    stage.await()
}

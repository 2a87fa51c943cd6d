package io.runledger.coroutines

import io.runledger.model.handler.AsyncBatchJobHandler
import io.runledger.model.handler.BatchJobHandler
import io.runledger.model.handler.BatchOutcome
import io.runledger.model.handler.JobContext
import kotlinx.coroutines.CoroutineDispatcher
import kotlinx.coroutines.future.await

/** Any kind of batch handler, seen as a suspending function, and the largest number of jobs it takes in one call. */
internal class BatchHandler<P>(
    val max: Int,
    private val call: suspend (List<JobContext<P>>, blocking: CoroutineDispatcher) -> BatchOutcome?,
) {
    init {
        require(max in 1..MOST) { "A batch of at most $max jobs was asked for: give 1 to $MOST." }
    }

    suspend fun attempt(jobs: List<JobContext<P>>, blocking: CoroutineDispatcher): BatchOutcome? = call(jobs, blocking)

    private companion object {
        /** One claim leases no more. */
        const val MOST = 1_000
    }
}

internal fun <P> suspendingBatchHandler(max: Int, handler: SuspendingBatchJobHandler<P>) =
    BatchHandler<P>(max) { jobs, _ -> handler.handle(jobs) }

/** Cancellation interrupts the thread. */
internal fun <P> blockingBatchHandler(max: Int, handler: BatchJobHandler<P>) =
    BatchHandler<P>(max) { jobs, blocking -> interruptible(blocking) { handler.handle(jobs) } }

/** Cancellation cancels the stage's future. */
internal fun <P> asyncBatchHandler(max: Int, handler: AsyncBatchJobHandler<P>) = BatchHandler<P>(max) { jobs, _ ->
    val stage = checkNotNull(handler.handle(jobs)) { "The handler returned null instead of a CompletionStage." }
    stage.await()
}

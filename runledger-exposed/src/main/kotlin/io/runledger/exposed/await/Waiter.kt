package io.runledger.exposed.await

import io.runledger.exposed.sql.exception
import io.runledger.exposed.workflow.runNotFound
import io.runledger.model.error.ErrorCode
import io.runledger.model.ledger.Scope
import io.runledger.model.workflow.WorkflowRun
import java.util.UUID
import java.util.concurrent.CompletableFuture
import java.util.concurrent.Executor

/** One wait of a caller for a run. */
internal abstract class Waiter<T>(val scope: Scope, val runId: UUID, private val threads: Executor) {
    val future = CompletableFuture<T>()

    /** Whether a look-up for this waiter has read the row of the run. */
    var isSeen: Boolean = false

    /** Whether the timeout has passed, so that the next look-up is the last one. */
    var isLast: Boolean = false

    /** Whether [run] ends the wait; called at every look-up. An exception fails the wait. */
    protected abstract fun isOver(run: WorkflowRun): Boolean

    /** The value for the run that ended the wait. Called outside the look-up thread, because it may take long. */
    protected abstract fun take(run: WorkflowRun): T

    /** Ends the wait if [found] ends it; null means that there is no such run. Returns whether the wait has ended. */
    @Suppress("TooGenericExceptionCaught")
    fun offer(found: Result<WorkflowRun?>): Boolean = try {
        val run = found.getOrThrow()?.takeIf { scope.covers(it.organizationId()) } ?: throw runNotFound(runId)
        isSeen = true
        isOver(run).also { if (it) end { take(run) } }
    } catch (refused: Exception) {
        fail(refused)
        true
    }

    fun fail(failure: Throwable) = end { throw failure }

    fun timeOut(lastFailure: Throwable?) = fail(
        ErrorCode.RESULT_TIMEOUT.exception(
            "Workflow run $runId did not end before the timeout: wait longer, or check its open steps.",
            lastFailure?.let { "the last look-up failed: ${it.message}" },
            lastFailure,
        ),
    )

    // Code that continues from the future must not run on the look-up thread, which all waiters share.
    @Suppress("TooGenericExceptionCaught")
    private fun end(value: () -> T) = threads.execute {
        try {
            future.complete(value())
        } catch (failure: Throwable) {
            future.completeExceptionally(failure)
        }
    }
}

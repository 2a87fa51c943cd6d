package io.runledger.exposed.await

import io.runledger.exposed.sql.exception
import io.runledger.exposed.workflow.runNotFound
import io.runledger.model.error.ErrorCode
import io.runledger.model.state.Scope
import io.runledger.model.state.WorkflowRun
import java.util.UUID
import java.util.concurrent.CompletableFuture
import java.util.concurrent.Executor

/** Somebody who waits for a run. */
internal abstract class Waiter<T>(val scope: Scope, val runId: UUID, private val threads: Executor) {
    val future = CompletableFuture<T>()

    /** Whether the run's row was read for it at least once. */
    var isSeen: Boolean = false

    /** Whether the next look-up is its last one: its time is up. */
    var isLast: Boolean = false

    /** Whether [run] ends the waiting; asked at every look-up. Throws what ends it badly. */
    protected abstract fun isOver(run: WorkflowRun): Boolean

    /** What is handed out for the run that ended the waiting. Not on the thread that looks: it may take its time. */
    protected abstract fun take(run: WorkflowRun): T

    /** Ends the waiting if what was found, null for no such run, ends it. */
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
            "Workflow run $runId did not end in time: wait longer, or look what it waits for.",
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

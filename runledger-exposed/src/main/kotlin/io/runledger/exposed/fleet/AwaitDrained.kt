package io.runledger.exposed.fleet

import io.runledger.exposed.context.LedgerContext
import io.runledger.exposed.sql.exception
import io.runledger.model.error.ErrorCode
import io.runledger.model.error.RunledgerException
import io.runledger.model.fleet.Worker
import io.runledger.model.fleet.WorkerSelection
import io.runledger.model.fleet.WorkerState
import io.runledger.model.text.Text
import java.time.Duration
import java.util.concurrent.CompletableFuture
import java.util.concurrent.TimeUnit
import kotlin.concurrent.thread

/** Waits until workers are drained: polls the list on a thread that lives as long as the wait. */
internal class AwaitDrained(private val context: LedgerContext, private val workerList: WorkerList) {
    fun await(selection: WorkerSelection, timeout: Duration): CompletableFuture<List<Worker>> {
        if (context.transactions.isJoined) {
            throw ErrorCode.INVALID_ARGUMENT.exception(
                "Workers do not see an order before its transaction is committed: commit first, then wait with the client.",
            )
        }
        val drained = CompletableFuture<List<Worker>>()
        thread(isDaemon = true, name = "runledger-await-drained") { poll(selection, timeout, drained) }
        return drained
    }

    @Suppress("TooGenericExceptionCaught")
    private fun poll(selection: WorkerSelection, timeout: Duration, drained: CompletableFuture<List<Worker>>) {
        val start = System.nanoTime()
        while (!drained.isDone) {
            val isLast = Duration.ofNanos(System.nanoTime() - start) >= timeout
            try {
                val workers = workerList.list(selection)
                val atWork = workers.filterNot { it.isLost || it.state() == WorkerState.DRAINED }
                if (atWork.isEmpty()) {
                    drained.complete(workers)
                } else if (isLast) {
                    drained.completeExceptionally(timedOut(atWork))
                }
            } catch (failure: Throwable) {
                if (isLast || !failure.isTemporary) drained.completeExceptionally(failure)
            }
            if (!drained.isDone) TimeUnit.MILLISECONDS.sleep(POLL_MILLIS)
        }
    }

    private fun timedOut(atWork: List<Worker>) = ErrorCode.WORKERS_NOT_DRAINED.exception(
        "${atWork.size} workers were not drained in time: " +
            atWork.take(SHOWN).joinToString { "${Text.quoted(it.workerId())} is ${it.state()} with ${it.busySlots()} jobs" } +
            if (atWork.size > SHOWN) " …" else ".",
    )

    private companion object {
        const val POLL_MILLIS = 100L
        const val SHOWN = 5

        /** Whether the next poll may succeed. */
        val Throwable.isTemporary: Boolean get() = this is RunledgerException && isTransient
    }
}

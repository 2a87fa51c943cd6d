package io.runledger.exposed.fleet

import io.runledger.exposed.LedgerContext
import io.runledger.exposed.sql.exception
import io.runledger.model.error.ErrorCode
import io.runledger.model.error.RunledgerException
import io.runledger.model.id.Text
import io.runledger.model.spec.WorkerSelection
import io.runledger.model.state.Worker
import io.runledger.model.state.WorkerState
import java.time.Duration
import java.util.concurrent.CompletableFuture
import java.util.concurrent.TimeUnit
import kotlin.concurrent.thread

/** Waits until workers have nothing to do any more, by looking at the list, on a thread that is there while somebody waits. */
internal class AwaitDrained(private val context: LedgerContext, private val roster: Roster) {
    fun await(selection: WorkerSelection, timeout: Duration): CompletableFuture<List<Worker>> {
        if (context.transactions.isJoined) {
            throw ErrorCode.INVALID_ARGUMENT.exception(
                "An order binds nobody before its transaction is committed: commit first, then wait with the client.",
            )
        }
        val drained = CompletableFuture<List<Worker>>()
        thread(isDaemon = true, name = "runledger-await-drained") { look(selection, timeout, drained) }
        return drained
    }

    @Suppress("TooGenericExceptionCaught")
    private fun look(selection: WorkerSelection, timeout: Duration, drained: CompletableFuture<List<Worker>>) {
        val start = System.nanoTime()
        while (!drained.isDone) {
            val isLast = Duration.ofNanos(System.nanoTime() - start) >= timeout
            try {
                val workers = roster.list(selection)
                val atWork = workers.filterNot { it.isLost || it.state() == WorkerState.DRAINED }
                if (atWork.isEmpty()) {
                    drained.complete(workers)
                } else if (isLast) {
                    drained.completeExceptionally(timedOut(atWork))
                }
            } catch (failure: Throwable) {
                if (isLast || !failure.passes) drained.completeExceptionally(failure)
            }
            if (!drained.isDone) TimeUnit.MILLISECONDS.sleep(BETWEEN_LOOKS)
        }
    }

    private fun timedOut(atWork: List<Worker>) = ErrorCode.WORKERS_NOT_DRAINED.exception(
        "Workers were not drained in time, ${atWork.size} of them: " +
            atWork.take(SHOWN).joinToString { "${Text.quoted(it.workerId())} is ${it.state()} with ${it.busySlots()} jobs" } +
            if (atWork.size > SHOWN) " …" else ".",
    )

    private companion object {
        const val BETWEEN_LOOKS = 100L
        const val SHOWN = 5

        /** Whether the next look may get an answer. */
        val Throwable.passes: Boolean get() = this is RunledgerException && isTransient
    }
}

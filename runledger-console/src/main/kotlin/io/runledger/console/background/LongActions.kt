package io.runledger.console.background

import org.slf4j.LoggerFactory
import java.time.Duration
import java.util.concurrent.CompletableFuture
import java.util.concurrent.ExecutionException
import java.util.concurrent.RejectedExecutionException
import java.util.concurrent.SynchronousQueue
import java.util.concurrent.ThreadPoolExecutor
import java.util.concurrent.TimeUnit
import java.util.concurrent.TimeoutException

/**
 * Actions that take longer than a request. A few run at a time, and none waits: an operator who starts one too many is told so.
 * [close] interrupts them. The ledger ends such an action after its current batch, and its record stays without an end.
 */
internal class LongActions(private val atOnce: Int = AT_ONCE) : AutoCloseable {
    private val executor = ThreadPoolExecutor(0, atOnce, IDLE.toSeconds(), TimeUnit.SECONDS, SynchronousQueue()) { task ->
        Thread(task, "runledger-console-action").apply { isDaemon = true }
    }

    /** The running actions and the last ended ones, by their keys. */
    private val actions = object : LinkedHashMap<String, CompletableFuture<Unit>>(16, 0.75f, true) {
        override fun removeEldestEntry(eldest: Map.Entry<String, CompletableFuture<Unit>>): Boolean =
            size > KEPT && eldest.value.isDone
    }

    /** Starts [work], unless an action with [key] was started before. Returns false if too many others are running. */
    fun start(key: String, work: () -> Unit): Boolean {
        synchronized(actions) {
            if (key in actions) return true
            val ending = CompletableFuture<Unit>()
            try {
                executor.execute { run(ending, work) }
            } catch (_: RejectedExecutionException) {
                return false
            }
            actions[key] = ending
            return true
        }
    }

    private fun run(ending: CompletableFuture<Unit>, work: () -> Unit) {
        try {
            work()
            ending.complete(Unit)
        } catch (failure: Exception) {
            log.warn("A change of many rows has not ended as planned. What it has changed stays changed.", failure)
            ending.completeExceptionally(failure)
        }
    }

    fun isRunning(key: String): Boolean = synchronized(actions) { actions[key] }?.isDone == false

    /**
     * Waits until the action with [key] has ended, but not longer than [atMost]. Throws what ended it. Returns whether it has
     * ended.
     */
    fun await(key: String, atMost: Duration): Boolean = try {
        synchronized(actions) { actions[key] }?.get(atMost.toMillis(), TimeUnit.MILLISECONDS) != null
    } catch (_: TimeoutException) {
        false
    } catch (failure: ExecutionException) {
        throw failure.cause ?: failure
    }

    override fun close() {
        executor.shutdownNow()
        if (!executor.awaitTermination(PATIENCE.toSeconds(), TimeUnit.SECONDS)) {
            log.warn("A change of many rows did not stop within $PATIENCE.")
        }
    }

    private companion object {
        const val AT_ONCE = 4
        const val KEPT = 200
        val IDLE: Duration = Duration.ofSeconds(30)
        val PATIENCE: Duration = Duration.ofSeconds(10)
        val log = LoggerFactory.getLogger(LongActions::class.java)
    }
}

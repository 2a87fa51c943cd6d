package io.runledger.exposed.await

import io.runledger.exposed.signal.Signals
import io.runledger.model.json.PayloadCodec
import io.runledger.model.ledger.Scope
import io.runledger.model.workflow.WorkflowRun
import java.lang.reflect.Type
import java.time.Duration
import java.util.UUID
import java.util.concurrent.CompletableFuture
import java.util.concurrent.TimeUnit

/**
 * Waits for runs to end, for any number of callers, with one listening connection and one statement per look-up. Notifications
 * make the wait short. A look-up at every [interval] finds runs whose notification was lost. The futures complete on threads of
 * the library, which code that continues from them may block. Canceling a future ends its wait.
 *
 * @param patience how long the last look-up may take after a caller's timeout
 */
internal class AwaitRuns(
    lookUp: LookUp,
    private val codec: PayloadCodec,
    signals: Signals,
    interval: Duration = Duration.ofSeconds(1),
    private val patience: Duration = Duration.ofMillis(250),
) {
    private val threads = resultThreads()
    private val waiters = RunWaiters(lookUp, signals, interval.coerceAtLeast(SHORTEST_INTERVAL).saturatedNanos())

    /**
     * Completes with the run when it has ended, whatever its outcome. Fails with `workflow.run_not_found` if there is no such
     * run, and with `workflow.result_wait_timeout` after [timeout]. If the timeout is zero, the run is looked up exactly once. If
     * it is null, the wait has no limit.
     */
    fun await(scope: Scope, runId: UUID, timeout: Duration?): CompletableFuture<WorkflowRun> =
        start(WaitForEnd(scope, runId, threads), timeout)

    /**
     * Completes with the result of the run as a [type]; null only for the JSON value null. Fails as [await] does, and at once
     * with `workflow.result_not_declared` if the run declares no result. After the end of the run it fails with
     * `workflow.result_unsuccessful_terminal`, with `workflow.result_missing` or, if the codec cannot read the result, with
     * `job.invalid_payload`.
     */
    fun <T : Any> awaitResult(scope: Scope, runId: UUID, type: Type, timeout: Duration?): CompletableFuture<T?> =
        start(WaitForResult(scope, runId, codec, type, threads), timeout)

    private fun <T> start(waiter: Waiter<T>, timeout: Duration?): CompletableFuture<T> {
        if (timeout != null) limit(waiter, timeout.coerceAtLeast(Duration.ZERO))
        waiter.future.whenComplete { _, _ -> waiters.remove(waiter) }
        waiters.add(waiter)
        return waiter.future
    }

    private fun limit(waiter: Waiter<*>, timeout: Duration) {
        waiter.isLast = timeout.isZero
        if (!timeout.isZero) waiter.after(timeout) { waiters.lookLast(waiter) }
        waiter.after(timeout.saturatedPlus(patience)) { waiters.timeOut(waiter) }
    }

    /** Runs [action] after [delay] on the JDK's timer, unless the wait ends before. */
    private fun Waiter<*>.after(delay: Duration, action: () -> Unit) {
        val timer = CompletableFuture<Boolean>().completeOnTimeout(true, delay.saturatedNanos(), TimeUnit.NANOSECONDS)
        timer.thenAccept { isDue -> if (isDue) action() }
        future.whenComplete { _, _ -> timer.complete(false) }
    }

    private companion object {
        val SHORTEST_INTERVAL: Duration = Duration.ofMillis(1)
    }
}

private fun Duration.saturatedNanos(): Long = try {
    toNanos()
} catch (_: ArithmeticException) {
    Long.MAX_VALUE
}

private fun Duration.saturatedPlus(other: Duration): Duration = try {
    plus(other)
} catch (_: ArithmeticException) {
    this
}

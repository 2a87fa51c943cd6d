package io.runledger.exposed.await

import io.runledger.exposed.signal.Signals
import io.runledger.model.json.PayloadCodec
import io.runledger.model.state.Scope
import io.runledger.model.state.WorkflowRun
import java.lang.reflect.Type
import java.time.Duration
import java.util.UUID
import java.util.concurrent.CompletableFuture
import java.util.concurrent.TimeUnit

/**
 * Waits for runs to end, for any number of callers, with one connection that listens and one statement per look-up. Signals
 * make it quick, looking at every [interval] makes it certain. The futures complete on threads of the library, which may be
 * blocked; canceling one ends its waiting.
 *
 * @param patience how long the last look-up may take once a caller's time is up
 */
internal class AwaitRuns(
    lookUp: LookUp,
    private val codec: PayloadCodec,
    signals: Signals,
    interval: Duration = Duration.ofSeconds(1),
    private val patience: Duration = Duration.ofMillis(250),
) {
    private val threads = resultThreads()
    private val room = WaitingRoom(lookUp, signals, interval.coerceAtLeast(SHORTEST_INTERVAL).saturatedNanos())

    /**
     * The run once it has ended, however it ended. Refused with `workflow.run_not_found`, and with `workflow.result_wait_timeout`
     * after [timeout]: zero looks exactly once, null waits for ever.
     */
    fun await(scope: Scope, runId: UUID, timeout: Duration?): CompletableFuture<WorkflowRun> =
        start(WaitForEnd(scope, runId, threads), timeout)

    /**
     * What the run returned, as a [type]; null only for the JSON value null. Refused as [await] is, at once with
     * `workflow.result_not_declared`, and after the end with `workflow.result_unsuccessful_terminal`,
     * `workflow.result_missing` or, when the codec cannot read it, `job.invalid_payload`.
     */
    fun <T : Any> awaitResult(scope: Scope, runId: UUID, type: Type, timeout: Duration?): CompletableFuture<T?> =
        start(WaitForResult(scope, runId, codec, type, threads), timeout)

    private fun <T> start(waiter: Waiter<T>, timeout: Duration?): CompletableFuture<T> {
        if (timeout != null) limit(waiter, timeout.coerceAtLeast(Duration.ZERO))
        waiter.future.whenComplete { _, _ -> room.leave(waiter) }
        room.enter(waiter)
        return waiter.future
    }

    private fun limit(waiter: Waiter<*>, timeout: Duration) {
        waiter.isLast = timeout.isZero
        if (!timeout.isZero) waiter.after(timeout) { room.lookLast(waiter) }
        waiter.after(timeout.saturatedPlus(patience)) { room.timeOut(waiter) }
    }

    /** Does [what] after [delay], on the JDK's timer, unless the waiting ended before. */
    private fun Waiter<*>.after(delay: Duration, what: () -> Unit) {
        val timer = CompletableFuture<Boolean>().completeOnTimeout(true, delay.saturatedNanos(), TimeUnit.NANOSECONDS)
        timer.thenAccept { isDue -> if (isDue) what() }
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

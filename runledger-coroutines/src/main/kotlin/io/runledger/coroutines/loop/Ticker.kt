package io.runledger.coroutines.loop

import io.runledger.coroutines.watch.LedgerHealth
import kotlinx.coroutines.channels.Channel
import kotlinx.coroutines.coroutineScope
import kotlinx.coroutines.currentCoroutineContext
import kotlinx.coroutines.delay
import kotlinx.coroutines.ensureActive
import kotlinx.coroutines.launch
import kotlinx.coroutines.withContext
import kotlinx.coroutines.withTimeoutOrNull
import java.util.concurrent.atomic.AtomicBoolean
import kotlin.coroutines.CoroutineContext
import kotlin.coroutines.EmptyCoroutineContext
import kotlin.time.ComparableTimeMark
import kotlin.time.Duration

/**
 * Repeats the pass of a loop: after the pause that the pass returns, or sooner on [wake]; after a failure, with growing delays. A
 * pass that takes longer than [patience] is reported while it is still waiting.
 */
internal class Ticker(
    private val name: String,
    private val health: LedgerHealth,
    private val patience: Duration = health.patience,
) {
    private val wakeUps = Channel<Unit>(Channel.CONFLATED)

    /** Whether the next pass is requested. Many threads may request it, and only the first call is not cheap. */
    private val isWoken = AtomicBoolean()
    private var isIdlePass = false
    private var hasFailed = false

    private val lock = Any()

    /** The start of the current pass; null between passes. */
    @Volatile
    private var begun: ComparableTimeMark? = null

    /** Ends the pause. Any number of calls during one pass cause one further pass. */
    fun wake() {
        if (!isWoken.get() && isWoken.compareAndSet(false, true)) wakeUps.trySend(Unit)
    }

    /** Called by a pass that makes no call to the ledger. */
    fun idle() {
        isIdlePass = true
    }

    /** Called by a pass that failed and is retried after the pause it returns. */
    fun failed(failure: Throwable) {
        hasFailed = true
        health.failed(name, failure)
    }

    suspend fun run(pass: suspend () -> Duration): Nothing = runIn(EmptyCoroutineContext, pass)

    /**
     * Repeats [pass] in [place]. The pass may block the thread of that context, because another coroutine watches its time. It
     * serves all passes, so that a pass costs no timer and wakes no other thread.
     */
    suspend fun runIn(place: CoroutineContext, pass: suspend () -> Duration): Nothing = coroutineScope {
        launch { watch() }
        withContext(place) { repeat(pass) }
    }

    private suspend fun repeat(pass: suspend () -> Duration): Nothing {
        val retries = DoublingDelay.ofRetries()
        while (true) {
            // A pass may be non-cancellable, so it must not start after a cancellation.
            currentCoroutineContext().ensureActive()
            // The pass serves all calls of wake made before it starts.
            wakeUps.tryReceive()
            // After the channel is empty: a call in between causes one pass too many. In the other order, it could cause none.
            isWoken.set(false)
            isIdlePass = false
            hasFailed = false
            val pause = try {
                watched(pass)
            } catch (failure: Throwable) {
                // A cancellation of the loop ends it. A CancellationException thrown by the pass itself is an ordinary failure.
                currentCoroutineContext().ensureActive()
                health.failed(name, failure)
                delay(retries.next())
                continue
            }
            if (isIdlePass) {
                health.idle(name)
            } else if (!hasFailed) {
                health.worked(name)
            }
            retries.reset()
            withTimeoutOrNull(pause) { wakeUps.receive() }
        }
    }

    private suspend fun watched(pass: suspend () -> Duration): Duration = try {
        begun = health.clock.markNow()
        pass()
    } finally {
        synchronized(lock) { begun = null }
    }

    private suspend fun watch() {
        if (patience == Duration.INFINITE) return
        var reported: ComparableTimeMark? = null
        while (true) {
            val pass = begun
            val left = if (pass == null || pass == reported) patience else patience - pass.elapsedNow()
            if (left > Duration.ZERO) {
                delay(left)
            } else {
                reported = pass
                // Under the lock, so that no report follows the result of its own pass.
                synchronized(lock) { if (begun == pass) health.silent(name) }
            }
        }
    }
}

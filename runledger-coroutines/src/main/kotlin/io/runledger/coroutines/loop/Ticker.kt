package io.runledger.coroutines.loop

import io.runledger.coroutines.watch.LedgerHealth
import kotlinx.coroutines.channels.Channel
import kotlinx.coroutines.coroutineScope
import kotlinx.coroutines.currentCoroutineContext
import kotlinx.coroutines.delay
import kotlinx.coroutines.ensureActive
import kotlinx.coroutines.launch
import kotlinx.coroutines.withTimeoutOrNull
import kotlin.time.Duration

/**
 * Repeats a loop's pass: after the pause the pass asks for, or sooner when woken; after a failure, once a growing wait is
 * over. A pass that takes longer than [patience] is reported while it waits for its answer.
 */
internal class Ticker(
    private val name: String,
    private val health: LedgerHealth,
    private val patience: Duration = health.patience,
) {
    private val wakeUps = Channel<Unit>(Channel.CONFLATED)
    private var isIdlePass = false
    private var hasFailed = false

    /** Ends the pause; many calls during one pass make one further pass. */
    fun wake() {
        wakeUps.trySend(Unit)
    }

    /** For the pass under way: it asks the ledger nothing. */
    fun idle() {
        isIdlePass = true
    }

    /** For the pass under way: it failed, and the pause it asks for is soon enough to try again. */
    fun failed(failure: Throwable) {
        hasFailed = true
        health.failed(name, failure)
    }

    suspend fun run(pass: suspend () -> Duration): Nothing {
        val retries = Pace.ofRetries()
        while (true) {
            // A pass that is not to be cancelled half-way is not to be begun either.
            currentCoroutineContext().ensureActive()
            // Whoever called before the pass begins is served by it.
            wakeUps.tryReceive()
            isIdlePass = false
            hasFailed = false
            val pause = try {
                watching(pass)
            } catch (failure: Throwable) {
                // A cancellation of the loop ends it; one that the pass made of its own is a failure like any other.
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

    private suspend fun watching(pass: suspend () -> Duration): Duration = coroutineScope {
        val watch = launch {
            delay(patience)
            health.silent(name)
        }
        pass().also { watch.cancel() }
    }
}

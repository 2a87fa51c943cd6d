package io.runledger.coroutines.loop

import io.runledger.coroutines.watch.LedgerHealth
import kotlinx.coroutines.channels.Channel
import kotlinx.coroutines.currentCoroutineContext
import kotlinx.coroutines.delay
import kotlinx.coroutines.ensureActive
import kotlinx.coroutines.withTimeoutOrNull
import kotlin.time.Duration

/**
 * Repeats a loop's pass: after the pause the pass asks for, or sooner when woken; after a failure, once a growing wait is
 * over.
 */
internal class Ticker(private val name: String, private val health: LedgerHealth) {
    private val wakeUps = Channel<Unit>(Channel.CONFLATED)

    /** Ends the pause; many calls during one pass make one further pass. */
    fun wake() {
        wakeUps.trySend(Unit)
    }

    suspend fun run(pass: suspend () -> Duration): Nothing {
        val retries = Pace.ofRetries()
        while (true) {
            // Whoever called before the pass begins is served by it.
            wakeUps.tryReceive()
            val pause = try {
                pass()
            } catch (failure: Throwable) {
                // A cancellation of the loop ends it; one that the pass made of its own is a failure like any other.
                currentCoroutineContext().ensureActive()
                health.failed(name, failure)
                delay(retries.next())
                continue
            }
            health.worked(name)
            retries.reset()
            withTimeoutOrNull(pause) { wakeUps.receive() }
        }
    }
}

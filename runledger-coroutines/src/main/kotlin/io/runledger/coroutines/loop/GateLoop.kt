package io.runledger.coroutines.loop

import io.runledger.coroutines.store.LeaseStore
import io.runledger.coroutines.watch.Observers
import kotlin.time.Duration

/** Ends gates that nobody completed in time, and frees the active keys of runs whose last handlers must have stopped. */
internal class GateLoop(
    private val interval: Duration,
    private val store: LeaseStore,
    private val observers: Observers,
    private val ticker: Ticker,
) {
    suspend fun run(): Nothing = ticker.run(::runOnce)

    /** One pass. A full one asks for the next at once. */
    suspend fun runOnce(): Duration {
        if (!store.needUpkeep()) return interval
        val gates = store.expireGates(BATCH)
        gates.forEach { gate -> observers.tell { expired(gate) } }
        val keys = store.releaseActiveKeys(BATCH)
        return if (gates.size == BATCH || keys.size == BATCH) Duration.ZERO else interval
    }

    private companion object {
        const val BATCH = 500
    }
}

package io.runledger.coroutines.housekeeping

import io.runledger.coroutines.loop.Ticker
import io.runledger.coroutines.port.HousekeepingPort
import io.runledger.coroutines.watch.Observers
import kotlin.time.Duration

/** Expires gates that were not completed in time, and frees the active keys of runs whose last handlers must have stopped. */
internal class GateLoop(
    private val interval: Duration,
    private val port: HousekeepingPort,
    private val observers: Observers,
    private val ticker: Ticker,
) {
    suspend fun run(): Nothing = ticker.run(::runOnce)

    /** Runs one pass. Returns the pause until the next: zero after a full batch. */
    suspend fun runOnce(): Duration {
        if (!port.isUpkeepNeeded()) return interval
        val gates = port.expireGates(BATCH)
        gates.forEach { gate ->
            observers.meters.tell { expired(gate) }
            observers.publish { expired(gate) }
        }
        val keys = port.releaseActiveKeys(BATCH)
        return if (gates.size == BATCH || keys.size == BATCH) Duration.ZERO else interval
    }

    private companion object {
        const val BATCH = 500
    }
}

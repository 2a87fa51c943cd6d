package io.runledger.coroutines.housekeeping

import io.runledger.coroutines.loop.Ticker
import io.runledger.coroutines.port.HousekeepingPort
import io.runledger.coroutines.watch.Observers
import kotlin.time.Duration
import kotlin.time.toJavaDuration

/** Reaps expired leases: the jobs of lost workers are retried or become dead letters. */
internal class ReaperLoop(
    private val interval: Duration,
    private val retryDelay: Duration,
    private val port: HousekeepingPort,
    private val observers: Observers,
    private val ticker: Ticker,
) {
    suspend fun run(): Nothing = ticker.run(::runOnce)

    /** Runs one pass. Returns the pause until the next: zero after a full batch. */
    suspend fun runOnce(): Duration {
        val jobs = port.reap(BATCH, retryDelay.toJavaDuration())
        jobs.forEach { job ->
            observers.meters.tell { reaped(job) }
            observers.publish { reaped(job) }
        }
        return if (jobs.size == BATCH) Duration.ZERO else interval
    }

    private companion object {
        const val BATCH = 500
    }
}

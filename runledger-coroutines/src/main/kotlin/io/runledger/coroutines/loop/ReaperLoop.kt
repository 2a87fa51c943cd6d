package io.runledger.coroutines.loop

import io.runledger.coroutines.store.LeaseStore
import io.runledger.coroutines.watch.Observers
import kotlin.time.Duration
import kotlin.time.toJavaDuration

/** Hands on the jobs of workers that vanished. */
internal class ReaperLoop(
    private val interval: Duration,
    private val retryDelay: Duration,
    private val store: LeaseStore,
    private val observers: Observers,
    private val ticker: Ticker,
) {
    suspend fun run(): Nothing = ticker.run(::runOnce)

    /** One pass. A full one asks for the next at once. */
    suspend fun runOnce(): Duration {
        val jobs = store.reap(BATCH, retryDelay.toJavaDuration())
        jobs.forEach { job -> observers.tell { reaped(job) } }
        return if (jobs.size == BATCH) Duration.ZERO else interval
    }

    private companion object {
        const val BATCH = 500
    }
}

package io.runledger.benchmarks.workload

import io.runledger.benchmarks.Sizes
import io.runledger.benchmarks.Stand
import kotlin.random.Random

/**
 * From the call that enqueues a job to its start in another process that had nothing to do, in milliseconds. Pauses between jobs are
 * random and as long as the longest wait so far, so that a poller is met at any moment of its interval.
 */
class Pickup(private val sizes: Sizes) {
    fun millis(stand: Stand): List<Double> {
        stand.worker.start(isEachTold = true)
        val random = Random(1)
        val waits = ArrayList<Double>()
        val warm = System.nanoTime() + WARM_UP_NANOS
        do one(stand) while (System.nanoTime() < warm)
        val end = System.nanoTime() + sizes.pickupSeconds * 1_000_000_000L
        while (waits.size < sizes.pickups && (System.nanoTime() < end || waits.size < 2)) {
            Thread.sleep(random.nextLong(MIN_PAUSE, MIN_PAUSE + 1 + minOf(MAX_PAUSE, waits.maxOrNull()?.toLong() ?: 0)))
            waits += one(stand)
        }
        stand.worker.stop()
        return waits
    }

    private fun one(stand: Stand): Double {
        val called = System.nanoTime()
        stand.contender.enqueue(SMALL_PAYLOAD)
        return (stand.worker.nextStart() - called) / NANOS_PER_MILLI
    }

    private companion object {
        const val WARM_UP_NANOS = 2_000_000_000L
        const val MIN_PAUSE = 30L
        const val MAX_PAUSE = 5_000L
        const val NANOS_PER_MILLI = 1e6
    }
}

package io.runledger.benchmarks.workload

import io.runledger.benchmarks.Sizes
import io.runledger.benchmarks.Stand
import kotlin.random.Random

/**
 * From the call that enqueues a job to its start in a worker that had nothing to do, in milliseconds. Pauses between jobs are random
 * and as long as the longest wait so far, so that a poller is met at any moment of its interval.
 */
class Pickup private constructor(private val stand: Stand, private val enqueue: () -> Long) {
    fun millis(sizes: Sizes): List<Double> {
        stand.worker.start(isEachTold = true)
        val random = Random(1)
        val waits = ArrayList<Double>()
        val warm = System.nanoTime() + WARM_UP_NANOS
        do one() while (System.nanoTime() < warm)
        val end = System.nanoTime() + sizes.pickupSeconds * sizes.rounds * NANOS
        while (waits.size < sizes.pickups * sizes.rounds && (System.nanoTime() < end || waits.size < 2)) {
            Thread.sleep(random.nextLong(MIN_PAUSE, MIN_PAUSE + 1 + minOf(MAX_PAUSE, waits.maxOrNull()?.toLong() ?: 0)))
            waits += one()
        }
        stand.worker.stop()
        return waits
    }

    private fun one(): Double {
        val called = enqueue()
        return (stand.worker.nextStart() - called) / NANOS_PER_MILLI
    }

    companion object {
        private const val WARM_UP_NANOS = 2_000_000_000L
        private const val NANOS = 1_000_000_000L
        private const val MIN_PAUSE = 30L
        private const val MAX_PAUSE = 5_000L
        private const val NANOS_PER_MILLI = 1e6

        /** The measuring process enqueues, the worker's process runs. */
        fun fromMeasuringProcess(stand: Stand) = Pickup(stand) {
            System.nanoTime().also { stand.contender.enqueue(SMALL_PAYLOAD) }
        }

        /** The worker's process does both. */
        fun fromWorkersProcess(stand: Stand) = Pickup(stand) { stand.worker.enqueue(SMALL_PAYLOAD) }
    }
}

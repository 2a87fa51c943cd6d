package io.runledger.benchmarks.workload

import io.runledger.benchmarks.Stand
import kotlin.concurrent.thread

/** Enqueued jobs per second of a contender, without a worker. */
class Enqueue(private val stand: Stand, private val seconds: Double) {
    /** Each in a transaction of its own, by four threads. */
    fun single(): Double = duringSeconds(THREADS) {
        stand.contender.enqueue(SMALL_PAYLOAD)
        1
    }

    /** With the fastest API of the contender, by one thread. */
    fun bulk(): Double = duringSeconds(1) {
        stand.contender.enqueueAll(CHUNK, SMALL_PAYLOAD)
        CHUNK
    }

    private fun duringSeconds(threads: Int, enqueue: () -> Int): Double {
        val begin = System.nanoTime()
        val end = begin + (seconds * NANOS).toLong()
        val counts = LongArray(threads)
        List(threads) { n -> thread { while (System.nanoTime() < end) counts[n] += enqueue().toLong() } }.forEach { it.join() }
        return counts.sum() / ((System.nanoTime() - begin) / NANOS)
    }

    private companion object {
        const val THREADS = 4
        const val CHUNK = 5_000
        const val NANOS = 1e9
    }
}

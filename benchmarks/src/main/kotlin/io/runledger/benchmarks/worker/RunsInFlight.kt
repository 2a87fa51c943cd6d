package io.runledger.benchmarks.worker

import java.util.concurrent.Callable
import java.util.concurrent.Executors

/** Keeps a number of runs in flight, each by a thread that does [one] after the other. */
internal class RunsInFlight(private val one: () -> Unit) {
    /** Begins runs for so many [millis] and waits for the last. Returns the number of runs and the nanoseconds they took. */
    fun during(inFlight: Int, millis: Long): String {
        val threads = Executors.newFixedThreadPool(inFlight)
        try {
            val begin = System.nanoTime()
            val limit = begin + millis * NANOS_PER_MILLI
            val counts = List(inFlight) { threads.submit(Callable { runUntil(limit) }) }
            return "${counts.sumOf { it.get() }} ${System.nanoTime() - begin}"
        } finally {
            threads.shutdownNow()
        }
    }

    private fun runUntil(limit: Long): Long {
        var runs = 0L
        do {
            one()
            runs++
        } while (System.nanoTime() < limit)
        return runs
    }

    private companion object {
        const val NANOS_PER_MILLI = 1_000_000L
    }
}

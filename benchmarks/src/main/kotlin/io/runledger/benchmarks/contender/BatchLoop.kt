package io.runledger.benchmarks.contender

import kotlin.concurrent.thread

/** Threads that repeat [batch]; a thread that found nothing waits briefly. */
internal class BatchLoop(threads: Int, private val batch: () -> Int) : AutoCloseable {
    @Volatile
    private var isRunning = true
    private val workers = List(threads) { thread { while (isRunning) if (batch() == 0) Thread.sleep(IDLE_MILLIS) } }

    override fun close() {
        isRunning = false
        workers.forEach { it.join() }
    }

    private companion object {
        const val IDLE_MILLIS = 10L
    }
}

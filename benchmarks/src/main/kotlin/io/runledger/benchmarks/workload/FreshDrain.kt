package io.runledger.benchmarks.workload

import io.runledger.benchmarks.JitCounters
import io.runledger.benchmarks.Server
import io.runledger.benchmarks.Stand

/**
 * Drains jobs that were enqueued before by a process that is started for it, the warm-up of its runtime included. Times count from
 * the call that starts the worker. The process has loaded the contender and, on the JVM, opened its pool of connections by then.
 */
class FreshDrain(private val server: Server, private val stand: Stand) {
    class Result(
        /** Jobs per second, from the start of the worker to the end of the last job. */
        val rate: Double,
        /** The same for the second half of the jobs. */
        val secondHalfRate: Double,
        val firstHandlerMillis: Double,
        /** Processor time of the worker's process since it was started, in milliseconds. */
        val workerMillis: Double,
        val serverMillis: Double,
        /** Null for a process that is not a JVM. */
        val jit: JitCounters?,
    )

    fun measure(jobs: Int): Result {
        stand.contender.enqueueAll(jobs, SMALL_PAYLOAD)
        stand.database.tidy()
        return stand.newWorker().use { worker ->
            val drain = Drain(stand)
            val serverMicros = server.cpuMicros()
            val start = worker.start()
            drain.awaitRan(jobs / 2, listOf(worker))
            val ranAtHalf = worker.ran
            val half = System.nanoTime()
            drain.awaitRan(jobs, listOf(worker))
            drain.awaitEnd()
            val end = System.nanoTime()
            Result(
                rate = jobs / ((end - start) / NANOS),
                secondHalfRate = (jobs - ranAtHalf) / ((end - half) / NANOS),
                firstHandlerMillis = (worker.nextStart() - start) / NANOS_PER_MILLI,
                workerMillis = worker.cpuMicros() / MICROS_PER_MILLI,
                serverMillis = (server.cpuMicros() - serverMicros) / MICROS_PER_MILLI,
                jit = if (stand.entry.isJvm) JitCounters.of(worker.pid) else null,
            ).also { worker.stop() }
        }
    }

    private companion object {
        const val NANOS = 1e9
        const val NANOS_PER_MILLI = 1e6
        const val MICROS_PER_MILLI = 1e3
    }
}

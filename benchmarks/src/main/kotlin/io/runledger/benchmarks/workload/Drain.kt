package io.runledger.benchmarks.workload

import io.runledger.benchmarks.Stand
import io.runledger.benchmarks.worker.WorkerProcess

/** About 100 bytes, as most payloads are. */
const val SMALL_PAYLOAD = """{"orderId": 4711, "customer": "c-20391", "items": ["lamp", "shade", "bulb"], "note": "leave at door"}"""

/**
 * Drains jobs that were enqueued before. The rate counts from the first job's start to the moment when the last one is written as
 * ended: how long a worker needs to notice the first is another question.
 */
class Drain(private val stand: Stand) {
    /** Jobs per second of [workers], which are stopped again afterwards. */
    fun rate(jobs: Int, payload: String = SMALL_PAYLOAD, workers: List<WorkerProcess> = listOf(stand.worker)): Double {
        stand.contender.enqueueAll(jobs, payload)
        stand.database.tidy()
        return rateOfEnqueued(jobs, workers)
    }

    /**
     * The same, counted from the order to begin: where a job is large, claiming the first batch is a good part of the work, and a
     * batch may be all there is.
     */
    fun rateWithClaim(jobs: Int, payload: String): Double {
        stand.contender.enqueueAll(jobs, payload)
        stand.database.tidy()
        return rateOfEnqueued(jobs, isClaimCounted = true)
    }

    fun rateOfEnqueued(
        jobs: Int,
        workers: List<WorkerProcess> = listOf(stand.worker),
        waitMillis: Long = 0,
        isClaimCounted: Boolean = false,
        whenAllRun: () -> Unit = {},
    ): Double {
        val order = System.nanoTime()
        workers.forEach { it.start(waitMillis) }
        awaitRan(jobs, workers)
        whenAllRun()
        awaitEnd()
        val end = System.nanoTime()
        val begin = if (isClaimCounted) order else firstStart(workers)
        val seconds = (end - begin) / NANOS
        workers.forEach { it.stop() }
        return jobs / seconds
    }

    /** Waits until so many jobs have begun. Fewer than a stride per worker may be missing. */
    fun awaitRan(jobs: Int, workers: List<WorkerProcess>) {
        val enough = jobs - workers.size * WorkerProcess.STRIDE
        patiently("$enough of $jobs jobs to begin") { workers.sumOf { it.ran } >= enough }
    }

    private fun firstStart(workers: List<WorkerProcess>): Long {
        patiently("word of the first job") { workers.any { it.firstStart() != null } }
        return workers.mapNotNull { it.firstStart() }.min()
    }

    fun awaitEnd() = patiently("the last jobs to end") { !stand.contender.hasOpenJobs() }

    private fun patiently(what: String, condition: () -> Boolean) {
        val limit = System.nanoTime() + LIMIT_SECONDS * NANOS.toLong()
        while (!condition()) {
            check(System.nanoTime() < limit) { "${stand.name}: waited $LIMIT_SECONDS s for $what." }
            Thread.sleep(1)
        }
    }

    private companion object {
        const val NANOS = 1e9
        const val LIMIT_SECONDS = 300L
    }
}

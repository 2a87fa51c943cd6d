package io.runledger.coroutines.crash.chaos

import io.runledger.model.job.JobRequest
import io.runledger.model.json.Json
import io.runledger.model.workflow.WorkflowRequest
import kotlin.concurrent.thread

/**
 * Enqueues the same few jobs and runs repeatedly, from its own thread: each exists until it has ended and retention has
 * deleted it, and is then created again under the same key.
 */
internal class RepeatedKeys(private val caller: Caller) : AutoCloseable {
    @Volatile
    private var isEnough = false

    @Volatile
    private var failure: Throwable? = null

    private val asking = thread(isDaemon = true, name = "repeated keys") {
        try {
            while (!isEnough) {
                jobs.forEach { caller.enqueue(it) }
                runs.forEach { caller.enqueue(it) }
                Thread.sleep(PAUSE_MILLIS)
            }
        } catch (unexpected: Throwable) {
            failure = unexpected
        }
    }

    /** Throws the failure, if there is one. */
    fun check() = failure?.let { throw AssertionError("A service that asked again was refused.", it) } ?: Unit

    /** Stops after the answer to the current call. */
    fun stop() {
        isEnough = true
        asking.join()
        check()
    }

    override fun close() {
        isEnough = true
        caller.isOver = true
        asking.join()
    }

    companion object {
        private const val JOBS = 6
        private const val RUNS = 4

        /** Part of the chaos: workers must have their turn too. */
        private const val PAUSE_MILLIS = 20L

        val jobs: List<JobRequest> = List(JOBS) { ChaosTraffic.keyed(ordinary, Order("again-$it"), "again-$it") }

        val runs: List<WorkflowRequest> = List(RUNS) { n ->
            WorkflowRequest.builder("again").apply {
                idempotencyKey("again-$n")
                val first = job("first") { it.runs(settled, Json.EMPTY_OBJECT) }
                job("second") { it.runs(ordinary, Order("again-$n/second")).mayContinue().after(first) }
            }.build()
        }
    }
}

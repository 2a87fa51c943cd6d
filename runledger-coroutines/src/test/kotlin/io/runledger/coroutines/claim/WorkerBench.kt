package io.runledger.coroutines.claim

import io.kotest.matchers.collections.shouldNotBeEmpty
import io.runledger.coroutines.NoLedger
import io.runledger.coroutines.WorkerConfig
import io.runledger.coroutines.WorkerReport
import io.runledger.coroutines.handlers
import io.runledger.coroutines.loop.ScriptedStore
import io.runledger.coroutines.loop.claimedJob
import io.runledger.coroutines.quick
import io.runledger.coroutines.worker.WorkerParts
import io.runledger.coroutines.worker.WorkerRun
import io.runledger.model.handler.JobContext
import io.runledger.model.job.JobType
import io.runledger.model.lease.ClaimedJob
import kotlinx.coroutines.CompletableDeferred
import kotlinx.coroutines.Deferred
import kotlinx.coroutines.ExperimentalCoroutinesApi
import kotlinx.coroutines.async
import kotlinx.coroutines.test.StandardTestDispatcher
import kotlinx.coroutines.test.TestScope
import kotlinx.coroutines.test.runCurrent
import java.time.Duration
import java.util.UUID

internal val greet = JobType.of("greet", Any::class.java)
internal val other = JobType.of("other", Any::class.java)

/** A whole worker in virtual time, beside a ledger that a test scripts. */
@OptIn(ExperimentalCoroutinesApi::class)
internal class WorkerBench(
    private val scope: TestScope,
    types: List<JobType<Any>> = listOf(greet, other),
    settings: WorkerConfig.Builder.() -> Unit = {},
) {
    val store = ScriptedStore()
    val begun = mutableListOf<UUID>()
    var running = 0
    var mostRunning = 0
    var handle: suspend (JobContext<*>) -> Unit = {}

    private val config = quick { maxConcurrency(4).lease(Duration.ofSeconds(30)).shutdownGrace(Duration.ofSeconds(10)).apply(settings) }
    private val dispatcher = StandardTestDispatcher(scope.testScheduler)
    private val parts = WorkerParts(
        store.ports, NoLedger,
        handlers { types.forEach { on(it) { job -> run(job) } } },
        config, emptyList(), emptyList(), emptyList(), emptyList(), dispatcher, dispatcher, scope.testScheduler.timeSource, WholeShare(),
    )
    private val run = WorkerRun(config, parts)
    private val report: Deferred<WorkerReport> = scope.async { run.run() }

    private suspend fun run(job: JobContext<*>) {
        begun += job.jobId()
        mostRunning = maxOf(mostRunning, ++running)
        handle(job)
        running--
    }

    fun enqueue(count: Int, make: (Int) -> ClaimedJob = { claimedJob() }): List<ClaimedJob> =
        List(count, make).also { store.queue += it }

    /** Lets handlers block from the [nth] on, when the worker has claimed many jobs ahead. */
    fun blockFrom(nth: Int): CompletableDeferred<Unit> {
        val gate = CompletableDeferred<Unit>()
        handle = { if (begun.size >= nth) gate.await() }
        return gate
    }

    /** Runs 200 jobs, then blocks. Returns the jobs that are held then. */
    fun holding(jobs: List<ClaimedJob> = enqueue(2_000)): List<ClaimedJob> {
        blockFrom(200)
        scope.runCurrent()
        val claimed = jobs.take(jobs.size - store.queue.size)
        return claimed.filter { it.lease().jobId() !in begun }.also { it.shouldNotBeEmpty() }
    }

    val released get() = store.released.flatten().map { it.jobId() }

    suspend fun stop(): WorkerReport {
        run.requestStop()
        return report.await()
    }
}

internal val List<ClaimedJob>.ids get() = map { it.lease().jobId() }

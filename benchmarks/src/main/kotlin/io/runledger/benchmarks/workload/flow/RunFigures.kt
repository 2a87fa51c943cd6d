package io.runledger.benchmarks.workload.flow

import io.runledger.benchmarks.BenchDatabase
import io.runledger.benchmarks.contender.Runledger
import io.runledger.benchmarks.contender.Task
import io.runledger.benchmarks.report.median
import io.runledger.exposed.RunledgerClient
import io.runledger.model.ledger.Scope
import io.runledger.model.workflow.WorkflowRequest
import java.util.concurrent.atomic.AtomicLong

/** How fast runs go through a worker of this process, and the same worker's drain of jobs that belong to no run, turn by turn. */
internal class RunFigures(private val database: BenchDatabase, private val rounds: Int) {
    private val firstStart = AtomicLong()
    private val task = Task(waitMillis = 0) { if (firstStart.get() == 0L) firstStart.compareAndSet(0, System.nanoTime()) }

    fun measure(report: Report) = Runledger(database).use { runledger ->
        runledger.install()
        database.pool(POOL).use { measure(runledger, RunledgerClient.create(it), report) }
        // Listeners release their connections within half a second.
        Thread.sleep(LISTENERS_MILLIS)
    }

    private fun measure(runledger: Runledger, client: RunledgerClient, report: Report) {
        val drains = ArrayList<Double>()
        val fans = ArrayList<Double>()
        val fan = fan(WIDTH)
        repeat(WARM_UP + rounds) { round ->
            val drain = JOBS / drain(runledger)
            val fanOut = fan.steps().size / runledger.start(task).use { List(FANS) { run(client, fan) }.median() }
            if (round < WARM_UP) return@repeat
            drains += drain
            fans += fanOut
        }
        report("plain-drain", drains, "jobs/s")
        report("fan-out-1000", fans, "steps/s")
        report("fan-out-1000-of-plain-drain", listOf(fans.median() / drains.median()), "ratio")
        val chain = chain(LINKS)
        report("chain-100", runledger.start(task).use { List(rounds) { run(client, chain) * MILLIS / LINKS } }, "ms/link")
        report("small-dags", List(rounds) { DAGS * diamond().steps().size / smallDags(runledger, client) }, "steps/s")
    }

    /** Seconds from the first job's start until none is open. */
    private fun drain(runledger: Runledger): Double {
        runledger.enqueueAll(JOBS, PAYLOAD.text())
        return secondsFromFirstStart { runledger.start(task).use { awaitThat { !runledger.hasOpenJobs() } } }
    }

    /** Seconds from the first step's start until the run's end is known. */
    private fun run(client: RunledgerClient, request: WorkflowRequest): Double = secondsFromFirstStart {
        val run = client.workflows.enqueue(request).runId()
        val end = client.workflows.await(Scope.global(), run).thenApply { System.nanoTime() }
        end.get()
    }

    private fun smallDags(runledger: Runledger, client: RunledgerClient): Double {
        val request = diamond()
        client.workflows.enqueueAll(List(DAGS) { request })
        return secondsFromFirstStart {
            runledger.start(task).use {
                awaitThat {
                    database.number("SELECT count(*) FROM runledger.workflow_runs WHERE $LIVE") ==
                        0L
                }
            }
        }
    }

    /** [work] answers with the time of the end. */
    private fun secondsFromFirstStart(work: () -> Long): Double {
        firstStart.set(0)
        val end = work()
        return (end - firstStart.get()) / NANOS
    }

    private fun awaitThat(isTrue: () -> Boolean): Long {
        while (!isTrue()) Thread.sleep(POLL_MILLIS)
        return System.nanoTime()
    }

    private companion object {
        const val POOL = 3
        const val WARM_UP = 2
        const val JOBS = 20_000
        const val WIDTH = 1_000
        const val FANS = 10
        const val LINKS = 100
        const val DAGS = 1_000
        const val POLL_MILLIS = 2L
        const val LISTENERS_MILLIS = 700L
        const val MILLIS = 1_000
        const val NANOS = 1e9
        const val LIVE = "status IN ('RUNNING', 'WAITING_FOR_EXTERNAL')"
    }
}

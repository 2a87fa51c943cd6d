package io.runledger.benchmarks.scenario

import io.runledger.benchmarks.Bench
import io.runledger.benchmarks.Stand
import io.runledger.benchmarks.contender.RUNLEDGER
import io.runledger.benchmarks.report.Statements
import io.runledger.benchmarks.report.median
import io.runledger.benchmarks.workload.Pickup
import io.runledger.benchmarks.workload.flow.WorkflowFigures

/** Of those that have workflows. The process of the worker starts the runs too. */
internal fun Bench.workflows() {
    val stands = stands(entries { it.chainLinks != null })
    stands.forEach { it.runsPerSecond("fan $WIDTH", WARM_UP_IN_FLIGHT, sizes.flowWarmUpSeconds) }
    if (isProfiled) stands.forEach { Statements(it.database).reset() }
    IN_FLIGHT.forEach { inFlight ->
        report("workflow-$inFlight-in-flight", "runs/s", stands) { it.runsPerSecond("fan $WIDTH", inFlight, sizes.flowSeconds) }
    }
    if (isProfiled) stands.forEach { System.err.println(Statements(it.database).text()) }
    report("workflow-chain-link", "ms", stands) { stand ->
        val links = checkNotNull(stand.entry.chainLinks)
        MILLIS / stand.runsPerSecond("chain $links", inFlight = 1, sizes.flowSeconds) / links
    }
    stands.forEach { stand ->
        // A step goes through the queue, as a job of another process does; one of the worker's own process is leased as it is enqueued.
        val pickup = Pickup.fromMeasuringProcess(stand).millis(sizes).median()
        val link = checkNotNull(report["workflow-chain-link/${stand.name}"])
        report.add("workflow-chain-link-in-pickups/${stand.name}", link / pickup, "pickups")
    }
}

private fun Stand.runsPerSecond(shape: String, inFlight: Int, seconds: Double): Double {
    database.tidy()
    worker.start()
    return worker.runsPerSecond(shape, inFlight, seconds).also { worker.stop() }
}

internal fun Bench.graphs() {
    if (entries { it == RUNLEDGER }.isNotEmpty()) WorkflowFigures(server, isProfiled).measure(sizes.isFull, report::add)
}

private const val WIDTH = 100
private const val WARM_UP_IN_FLIGHT = 8
private val IN_FLIGHT = listOf(1, 8, 50)
private const val MILLIS = 1e3

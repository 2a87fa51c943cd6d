package io.runledger.benchmarks.scenario

import io.runledger.benchmarks.Bench
import io.runledger.benchmarks.Stand
import io.runledger.benchmarks.workload.Pickup

internal fun Bench.pickup() = stands(entries { !it.isFloor && (!it.isVariant || it.isOurs) }).forEach { stand ->
    pickups("pickup", stand, Pickup.fromMeasuringProcess(stand))
}

internal fun Bench.pickupOwn() = stands(fastEntries { !it.isFloor && (!it.isVariant || it.isOurs) }).forEach { stand ->
    pickups("pickup-own", stand, Pickup.fromWorkersProcess(stand))
}

/** The percentiles over all rounds: a percentile of few jobs says little. */
private fun Bench.pickups(name: String, stand: Stand, pickup: Pickup) {
    val waits = pickup.millis(sizes).sorted()
    listOf(50, 95, 99).forEach { p -> report.add("$name-p$p/${stand.name}", waits.percentile(p), "ms") }
    report.add("$name-samples/${stand.name}", waits.size.toDouble(), "jobs")
}

/** Of values in ascending order. */
internal fun List<Double>.percentile(p: Int): Double = this[((size - 1) * p + 50) / 100]

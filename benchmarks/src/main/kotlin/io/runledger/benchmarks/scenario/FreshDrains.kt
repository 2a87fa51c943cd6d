package io.runledger.benchmarks.scenario

import io.runledger.benchmarks.Bench
import io.runledger.benchmarks.Stand
import io.runledger.benchmarks.contender.Entry
import io.runledger.benchmarks.contender.PG_BOSS_FLOWS
import io.runledger.benchmarks.contender.RUNLEDGER_DEFAULTS
import io.runledger.benchmarks.workload.FreshDrain

internal fun Bench.cold() = freshDrains(fastEntries { !it.isVariant || it == RUNLEDGER_DEFAULTS }, sizes.jobs ?: COLD_JOBS)
    .forEach { (stand, rounds) ->
        fun add(name: String, unit: String, value: (FreshDrain.Result) -> Double?) {
            val values = rounds.mapNotNull(value)
            if (values.isNotEmpty()) report.add("$name/${stand.name}", values, unit)
        }
        add("cold", "jobs/s") { it.rate }
        add("cold-first-handler", "ms") { it.firstHandlerMillis }
        add("cold-cpu-worker", "ms") { it.workerMillis }
        add("cold-cpu-server", "ms") { it.serverMillis }
        add("cold-jit-time", "ms") { it.jit?.millis }
        add("cold-jit-cpu", "ms") { it.jit?.cpuMillis }
        add("cold-jit-methods", "methods") { it.jit?.methods }
        add("cold-jit-bytecode", "KB") { it.jit?.bytes?.div(KILOBYTE) }
    }

/** The peers of Node.js take part with two settings each; the faster counts. */
internal fun Bench.long() = freshDrains(fastEntries { it != PG_BOSS_FLOWS }, sizes.jobs ?: LONG_JOBS).forEach { (stand, rounds) ->
    report.add("long/${stand.name}", rounds.map { it.rate }, "jobs/s")
    report.add("long-second-half/${stand.name}", rounds.map { it.secondHalfRate }, "jobs/s")
}

private fun Bench.freshDrains(entries: List<Entry>, jobs: Int): Map<Stand, List<FreshDrain.Result>> =
    turns(stands(entries), sizes.freshRounds) { FreshDrain(server, it).measure(jobs) }

private const val COLD_JOBS = 60_000
private const val LONG_JOBS = 250_000
private const val KILOBYTE = 1e3

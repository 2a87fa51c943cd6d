package io.runledger.benchmarks.scenario

import io.runledger.benchmarks.Bench
import io.runledger.benchmarks.BenchDatabase
import io.runledger.benchmarks.Stand
import io.runledger.benchmarks.contender.RUNLEDGER
import io.runledger.benchmarks.workload.Drain
import io.runledger.benchmarks.workload.SMALL_PAYLOAD
import io.runledger.exposed.RunledgerClient
import io.runledger.model.job.JobRequest
import io.runledger.model.json.Json

/**
 * Drains of jobs without limits; of jobs that each need the only permit of a key of their own; and again of jobs without limits, beside
 * many jobs of a higher priority that wait for a key without permits.
 */
internal fun Bench.limits() {
    closeStands()
    val stand = stands(entries { it == RUNLEDGER }).singleOrNull() ?: return
    stand.database.pool(2).use { pool ->
        val client = RunledgerClient.create(pool)
        val plain = jobs(stand)
        val keys = sizes.jobs ?: if (sizes.isFull) MOST_KEYS else MOST_KEYS / 10
        stand.database.declareLimits()
        rateBeside(stand, keys / 10) { client.enqueueAll(keys / 10) { limit("bench.key", "k$it") } }
        val rounds = List(sizes.rounds) {
            listOf(
                rateBeside(stand, plain) { stand.contender.enqueueAll(plain, SMALL_PAYLOAD) },
                rateBeside(stand, keys) { client.enqueueAll(keys) { limit("bench.key", "k$it") } },
            )
        }
        add("limits-none", rounds.map { it[0] })
        add("limits-keys", rounds.map { it[1] })

        client.enqueueAll(HOT_JOBS) { limit("bench.hot").priority(ABOVE) }
        add("limits-hot", List(sizes.rounds) { rateBeside(stand, plain) { stand.contender.enqueueAll(plain, SMALL_PAYLOAD) } })
    }
    closeStands()
}

private class LimitedDrain(val rate: Double, val serverMicros: Double)

private fun Bench.add(name: String, rounds: List<LimitedDrain>) {
    report.add("$name/${RUNLEDGER.name}", rounds.map { it.rate }, "jobs/s")
    report.add("$name-cpu-server/${RUNLEDGER.name}", rounds.map { it.serverMicros }, "us/job")
}

private fun Bench.rateBeside(stand: Stand, jobs: Int, enqueue: () -> Unit): LimitedDrain {
    enqueue()
    stand.database.tidy()
    val before = server.cpuMicros()
    val rate = Drain(stand).rateOfEnqueued(jobs)
    return LimitedDrain(rate, (server.cpuMicros() - before).toDouble() / jobs)
}

private fun BenchDatabase.declareLimits() = run(
    "INSERT INTO runledger.limits (name, keyed_by, permits) VALUES ('bench.key', 'KEY', 1), ('bench.hot', 'NONE', 0)",
)

private fun RunledgerClient.enqueueAll(count: Int, settings: JobRequest.Builder.(Int) -> Unit) =
    (0 until count).chunked(CHUNK).forEach { part ->
        jobs.enqueueAll(part.map { JobRequest.builder("bench.noop", Json.of(SMALL_PAYLOAD)).apply { settings(it) }.build() })
    }

private const val MOST_KEYS = 100_000
private const val HOT_JOBS = 50_000
private const val ABOVE = 101
private const val CHUNK = 5_000

package io.runledger.benchmarks.scenario

import io.runledger.benchmarks.Bench
import io.runledger.benchmarks.Payload
import io.runledger.benchmarks.Stand
import io.runledger.benchmarks.contender.Entry
import io.runledger.benchmarks.contender.RUNLEDGER
import io.runledger.benchmarks.contender.RUNLEDGER_DEFAULTS
import io.runledger.benchmarks.contender.RUNLEDGER_MEASURED
import io.runledger.benchmarks.number
import io.runledger.benchmarks.report.Statements
import io.runledger.benchmarks.worker.WorkerProcess
import io.runledger.benchmarks.workload.Drain
import io.runledger.benchmarks.workload.SMALL_PAYLOAD
import java.sql.Connection
import kotlin.concurrent.thread

internal fun Bench.drain() = drains("drain", stands(entries { !it.isVariant }))

/** Both take turns, so that the ratio is of one minute of the machine. */
internal fun Bench.drainDefaults() {
    val stands = stands(entries { it == RUNLEDGER || it == RUNLEDGER_DEFAULTS })
    drains("drain-defaults", stands)
}

/** With meters and without, in turns. */
internal fun Bench.metrics() = drains("drain-metrics", stands(entries { it == RUNLEDGER || it == RUNLEDGER_MEASURED }))

/** Of those whose handlers can take many jobs at once. */
internal fun Bench.batch() = report("drain-batch", "jobs/s", stands(entries { it.hasBatchHandlers })) { Drain(it).rate(jobs(it)) }

private class Drained(val rate: Double, val workerMicros: Double, val serverMicros: Double)

private fun Bench.drains(name: String, stands: List<Stand>) {
    if (isProfiled) stands.forEach { Statements(it.database).reset() }
    turns(stands, measure = ::drainOnce).forEach { (stand, rounds) ->
        report.add("$name/${stand.name}", rounds.map { it.rate }, "jobs/s")
        report.add("$name-cpu-worker/${stand.name}", rounds.map { it.workerMicros }, "us/job")
        report.add("$name-cpu-server/${stand.name}", rounds.map { it.serverMicros }, "us/job")
        if (isProfiled) System.err.println(Statements(stand.database).text())
    }
}

private fun Bench.drainOnce(stand: Stand): Drained {
    val jobs = jobs(stand)
    stand.contender.enqueueAll(jobs, SMALL_PAYLOAD)
    stand.database.tidy()
    val worker = stand.worker.cpuMicros()
    val before = server.cpuMicros()
    val rate = Drain(stand).rateOfEnqueued(jobs)
    return Drained(
        rate,
        (stand.worker.cpuMicros() - worker).toDouble() / jobs,
        (server.cpuMicros() - before).toDouble() / jobs,
    )
}

internal fun Bench.pinned() = report("drain-pinned", "jobs/s", stands(entries { !it.isVariant })) { stand ->
    val jobs = jobs(stand)
    stand.contender.enqueueAll(jobs, SMALL_PAYLOAD)
    stand.database.tidy()
    stand.database.connect().use { old ->
        old.autoCommit = false
        old.transactionIsolation = Connection.TRANSACTION_REPEATABLE_READ
        old.number("SELECT count(*) FROM pg_class")
        Drain(stand).rateOfEnqueued(jobs)
    }
}

/** Two threads enqueue in batches of 100 while the worker drains. */
internal fun Bench.sustained() = report("sustained", "jobs/s", stands(entries { !it.isVariant })) { stand ->
    val batches = jobs(stand) / SUSTAINED_BATCH / 2
    stand.database.tidy()
    stand.worker.start()
    val begin = System.nanoTime()
    List(2) {
        thread { repeat(batches) { stand.contender.enqueueAll(SUSTAINED_BATCH, SMALL_PAYLOAD) } }
    }.forEach { it.join() }
    Drain(stand).awaitEnd()
    val rate = batches * 2 * SUSTAINED_BATCH / ((System.nanoTime() - begin) / NANOS)
    stand.worker.stop()
    rate
}

/** The rate counts from the order to begin, so a long measurement has more jobs: the start of the worker is a smaller part of it. */
internal fun Bench.payload() = listOf(10_000 to if (sizes.isFull) 1.0 else 0.3, 200_000 to 0.02).forEach { (bytes, share) ->
    val payload = """{"text": "${Payload.text(bytes)}"}"""
    report("drain-payload-$bytes", "jobs/s", stands(entries { !it.isVariant })) { stand ->
        Drain(stand).rateWithClaim(jobs(stand, share, least = sizes.minJobs / 2), payload)
    }
}

/** One contender after the other, as its processes keep the memory of the machine. All processes are warm before the first round. */
internal fun Bench.processes() = stands(fastEntries { !it.isVariant }).forEach { stand ->
    val more = List(MOST_PROCESSES - 1) { stand.newWorker() }
    try {
        val workers = listOf(stand.worker) + more
        repeat(sizes.warmUps) { Drain(stand).rate(jobs(stand), workers = workers) }
        // Alone, because a process that has others beside it gets less of the work and warms up later.
        more.forEach { worker -> repeat(sizes.warmUps) { Drain(stand).rate(jobs(stand), workers = listOf(worker)) } }
        val rounds = List(sizes.rounds) {
            PROCESSES.associateWith { count -> Drain(stand).rate(jobs(stand), workers = workers.take(count)) }
        }
        PROCESSES.forEach { count ->
            report.add("drain-processes-$count/${stand.name}", rounds.map { it.getValue(count) }, "jobs/s")
        }
    } finally {
        more.forEach(WorkerProcess::close)
    }
}

internal fun Bench.waiting() = stands(entries { !it.isVariant && !it.isFloor }).forEach { stand ->
    val jobs = stand.entry.waitingJobs
    stand.contender.enqueueAll(jobs, SMALL_PAYLOAD)
    stand.database.tidy()
    val rate = Drain(stand).rateOfEnqueued(jobs, waitMillis = WAIT_MILLIS) {
        if (stand.entry == RUNLEDGER) report.add("waiting-heap/${stand.name}", stand.worker.heap() / MEGABYTE, "MB")
    }
    report.add("waiting/${stand.name}", rate, "jobs/s")
}

/** Each on a database of its own, which is dropped afterwards. */
internal fun Bench.beside() {
    closeStands()
    entries { !it.isVariant && !it.isFloor }.forEach { entry ->
        val stand = stands(listOf(entry)).single()
        val history = stand.contender.history
        if (history != null) {
            // Peers are here to compare: one drain is enough for them, while ours is compared with itself.
            val rounds = if (entry == RUNLEDGER) sizes.rounds else 1
            repeat(2) { Drain(stand).rate(jobs(stand)) }
            oldRows(entry).forEach { rows ->
                history(rows)
                stand.database.settleDown()
                report.add("drain-beside-$rows/${stand.name}", List(rounds) { Drain(stand).rate(jobs(stand)) }, "jobs/s")
            }
        }
        closeStands()
    }
}

/** A peer's drain beside no rows is its plain drain. */
private fun oldRows(entry: Entry): List<Long> = if (entry == RUNLEDGER) listOf(0, 1_000_000, 5_000_000) else listOf(1_000_000)

private const val SUSTAINED_BATCH = 100
private const val MOST_PROCESSES = 4
private val PROCESSES = listOf(1, 2, MOST_PROCESSES)
private const val WAIT_MILLIS = 2_000L
internal const val MEGABYTE = 1e6
internal const val NANOS = 1e9

package io.runledger.benchmarks

import io.runledger.benchmarks.contender.Entry
import io.runledger.benchmarks.contender.RUNLEDGER
import io.runledger.benchmarks.report.Report
import io.runledger.benchmarks.report.Statements
import io.runledger.benchmarks.worker.WorkerProcess
import io.runledger.benchmarks.workload.Drain
import io.runledger.benchmarks.workload.Enqueue
import io.runledger.benchmarks.workload.Idle
import io.runledger.benchmarks.workload.Pickup
import io.runledger.benchmarks.workload.SMALL_PAYLOAD
import io.runledger.benchmarks.workload.flow.WorkflowFigures
import kotlin.concurrent.thread

/** Runs all measurements once, for all contenders. */
class Run(
    private val server: Server,
    private val entries: List<Entry>,
    private val sizes: Sizes,
    private val report: Report,
    private val isProfiled: Boolean = false,
) {
    private val rates = HashMap<String, Double>()

    fun measure(wanted: Set<String>) {
        fun phase(name: String, work: () -> Unit) {
            if (wanted.isNotEmpty() && name !in wanted) return
            System.err.println("$name …")
            val begin = System.nanoTime()
            work()
            System.err.println("$name took ${((System.nanoTime() - begin) / NANOS).toInt()} s")
        }

        val stands = entries.map { Stand(server, it) }
        try {
            if (sizes.isFull) phase("idle") { idle(stands) }
            phase("drain") { drain(stands) }
            phase("pickup") { stands.filter { !it.entry.isFloor }.forEach(::pickup) }
            if (sizes.isFull) {
                phase("pinned") { stands.forEach(::pinned) }
                phase("sustained") { stands.forEach(::sustained) }
                phase("payload") { stands.forEach(::payloads) }
                phase("processes") { stands.forEach(::processes) }
                phase("waiting") { stands.filter { !it.entry.isFloor }.forEach(::waiting) }
            }
            // The last measurement on these databases: its jobs are not drained.
            phase("enqueue") { enqueue(stands) }
        } finally {
            stands.forEach { it.close() }
        }
        if (RUNLEDGER in entries) phase("workflows") { WorkflowFigures(server, isProfiled).measure(sizes.isFull, report::add) }
        if (sizes.isFull) phase("beside") { entries.filter { !it.isFloor }.forEach(::besideOldRows) }
    }

    private fun idle(stands: List<Stand>) {
        val idle = Idle()
        val bare = idle.bareJvmMemory()
        report.add("bare-jvm-memory", bare / MEGABYTE, "MB")
        idle.measure(stands.filter { !it.entry.isFloor }).forEach { (stand, cost) ->
            report.add("idle-transactions/${stand.name}", cost.transactions.toDouble(), "per-minute")
            report.add("idle-statements/${stand.name}", cost.statements.toDouble(), "per-minute")
            report.add("idle-memory/${stand.name}", cost.residentMemory / MEGABYTE, "MB")
            if (stand.entry.isJvm) {
                report.add("idle-memory-beyond-jvm/${stand.name}", (cost.residentMemory - bare) / MEGABYTE, "MB")
            }
        }
    }

    private fun pickup(stand: Stand) {
        val waits = Pickup(sizes).millis(stand).sorted()
        listOf(50, 95, 99).forEach { p ->
            report.add("pickup-p$p/${stand.name}", waits[((waits.size - 1) * p + 50) / 100], "ms")
        }
        report.add("pickup-samples/${stand.name}", waits.size.toDouble(), "jobs")
    }

    /** As many jobs as [share] of a drain's time needs, by the rate of a worker that was warmed up. */
    private fun jobs(stand: Stand, share: Double = 1.0, least: Int = sizes.minJobs): Int {
        sizes.drainJobs?.let { return it }
        val rate = rates.getOrPut(stand.name) { warmUp(stand) }
        val most = (sizes.maxDrainJobs * share).toInt()
        return (rate * sizes.drainSeconds * share).toInt().coerceIn(least, most)
    }

    /** Drains until the code is compiled. Returns the last rate. */
    private fun warmUp(stand: Stand): Double {
        val drain = Drain(stand)
        return (1..sizes.warmUps).fold(drain.rate(sizes.minJobs)) { rate, _ ->
            drain.rate((rate * WARM_UP_SECONDS).toInt().coerceIn(sizes.minJobs, sizes.maxDrainJobs))
        }
    }

    private fun drain(stands: List<Stand>) {
        if (isProfiled) stands.forEach { Statements(it.database).reset() }
        val rounds = List(sizes.drainRounds) { stands.associateWith(::drainOnce) }
        stands.forEach { stand ->
            val own = rounds.map { it.getValue(stand) }
            report.add("drain/${stand.name}", own.map { it.rate }.median(), "jobs/s")
            report.add("drain-cpu-worker/${stand.name}", own.map { it.workerMicros }.median(), "us/job")
            report.add("drain-cpu-server/${stand.name}", own.map { it.serverMicros }.median(), "us/job")
            if (isProfiled) System.err.println(Statements(stand.database).text())
        }
    }

    private class Drained(val rate: Double, val workerMicros: Double, val serverMicros: Double)

    private fun drainOnce(stand: Stand): Drained {
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

    private fun pinned(stand: Stand) {
        stand.contender.enqueueAll(jobs(stand), SMALL_PAYLOAD)
        stand.database.tidy()
        stand.database.connect().use { old ->
            old.autoCommit = false
            old.transactionIsolation = java.sql.Connection.TRANSACTION_REPEATABLE_READ
            old.number("SELECT count(*) FROM pg_class")
            report.add("drain-pinned/${stand.name}", Drain(stand).rateOfEnqueued(jobs(stand)), "jobs/s")
        }
    }

    /** Two threads enqueue in batches of 100 while the worker is at it. */
    private fun sustained(stand: Stand) {
        val batches = jobs(stand) / SUSTAINED_BATCH / 2
        stand.database.tidy()
        stand.worker.start()
        val begin = System.nanoTime()
        List(2) {
            thread { repeat(batches) { stand.contender.enqueueAll(SUSTAINED_BATCH, SMALL_PAYLOAD) } }
        }.forEach { it.join() }
        Drain(stand).awaitEnd()
        report.add("sustained/${stand.name}", batches * 2 * SUSTAINED_BATCH / ((System.nanoTime() - begin) / NANOS), "jobs/s")
        stand.worker.stop()
    }

    private fun payloads(stand: Stand) {
        listOf(10_000 to 0.3, 200_000 to 0.02).forEach { (bytes, share) ->
            val payload = """{"text": "${Payload.text(bytes)}"}"""
            val jobs = jobs(stand, share, least = sizes.minJobs / 2)
            report.add("drain-payload-$bytes/${stand.name}", Drain(stand).rateWithClaim(jobs, payload), "jobs/s")
        }
    }

    private fun processes(stand: Stand) {
        val more = ArrayList<WorkerProcess>()
        try {
            listOf(2, 4).forEach { count ->
                while (more.size < count - 1) more += stand.newWorker()
                // A new process compiles for its first seconds.
                Drain(stand).rate(jobs(stand), workers = listOf(stand.worker) + more)
                val rate = Drain(stand).rate(jobs(stand), workers = listOf(stand.worker) + more)
                report.add("drain-processes-$count/${stand.name}", rate, "jobs/s")
            }
        } finally {
            more.forEach { it.close() }
        }
    }

    private fun waiting(stand: Stand) {
        val jobs = stand.entry.waitingJobs
        stand.contender.enqueueAll(jobs, SMALL_PAYLOAD)
        stand.database.tidy()
        val rate = Drain(stand).rateOfEnqueued(jobs, waitMillis = WAIT_MILLIS) {
            if (stand.entry == RUNLEDGER) report.add("waiting-heap/${stand.name}", stand.worker.heap() / MEGABYTE, "MB")
        }
        report.add("waiting/${stand.name}", rate, "jobs/s")
    }

    private fun enqueue(stands: List<Stand>) {
        fun rounds(name: String, rate: (Enqueue) -> Double) {
            stands.forEach { rate(Enqueue(it, sizes.enqueueSeconds / 2)) }
            val rounds = List(sizes.drainRounds) { stands.associateWith { rate(Enqueue(it, sizes.enqueueSeconds)) } }
            stands.forEach { stand -> report.add("$name/${stand.name}", rounds.map { it.getValue(stand) }.median(), "jobs/s") }
        }
        rounds("enqueue-single", Enqueue::single)
        rounds("enqueue-bulk", Enqueue::bulk)
    }

    /** On a worker of its own, which is warmed up before it is measured. */
    private fun besideOldRows(entry: Entry) {
        Stand(server, entry).use { stand ->
            val history = stand.contender.history ?: return
            // For the peers, one warm-up and one drain are enough for a comparison.
            val drains = if (entry == RUNLEDGER) 2 else 1
            repeat(drains) { Drain(stand).rate(jobs(stand)) }
            oldRows(entry).forEach { rows ->
                history(rows)
                stand.database.settleDown()
                report.add("drain-beside-$rows/${stand.name}", List(drains) { Drain(stand).rate(jobs(stand)) }.max(), "jobs/s")
            }
        }
    }

    private fun oldRows(entry: Entry): List<Long> = when {
        entry == RUNLEDGER -> listOf(0, 1_000_000, 5_000_000)

        // Their figure without old rows is the plain drain.
        else -> listOf(1_000_000)
    }

    private companion object {
        const val WARM_UP_SECONDS = 3
        const val SUSTAINED_BATCH = 100
        const val WAIT_MILLIS = 2_000L
        const val MEGABYTE = 1e6
        const val NANOS = 1e9
    }
}

private fun List<Double>.median(): Double = sorted()[size / 2]

package io.runledger.benchmarks

import io.runledger.benchmarks.contender.Entry
import io.runledger.benchmarks.report.Report
import io.runledger.benchmarks.workload.Drain

/** What the scenarios of one run share: the server, the contenders with their databases and warm workers, and the report. */
class Bench(val server: Server, private val present: List<Entry>, private val options: Options, val report: Report) :
    AutoCloseable {
    private val stands = LinkedHashMap<Entry, Stand>()
    private val rates = HashMap<Stand, Double>()

    val sizes: Sizes get() = options.sizes
    val isProfiled: Boolean get() = options.isProfiled

    /** The contenders of this run that are [wanted], in the order of the tables. */
    fun entries(wanted: (Entry) -> Boolean): List<Entry> = present.filter(wanted)

    /** The same without slow ones, for scenarios with many jobs; those that the command line names take part however slow they are. */
    fun fastEntries(wanted: (Entry) -> Boolean): List<Entry> = entries(wanted).filter { !it.isSlow || it.name in options.only }

    /** Each entry's stand, the same one in every scenario. */
    fun stands(entries: List<Entry>): List<Stand> = entries.map { entry -> stands.getOrPut(entry) { Stand(server, entry) } }

    /** Closes the stands so far. The next scenario gets new ones, without the rows of the old. */
    fun closeStands() {
        stands.values.forEach { it.close() }
        stands.clear()
        rates.clear()
    }

    /** Measures each of [stands] once per round, in turns, so that a change of the machine's speed meets all of them. */
    fun <T> turns(stands: List<Stand>, rounds: Int = sizes.rounds, measure: (Stand) -> T): Map<Stand, List<T>> {
        val measured = List(rounds) { stands.associateWith(measure) }
        return stands.associateWith { stand -> measured.map { it.getValue(stand) } }
    }

    /** Measures [stands] in turns and reports each stand's median as `<name>/<contender>`. */
    fun report(name: String, unit: String, stands: List<Stand>, measure: (Stand) -> Double) =
        turns(stands, measure = measure).forEach { (stand, rounds) -> report.add("$name/${stand.name}", rounds, unit) }

    /** As many jobs as [share] of a drain's time needs, by the rate of the stand's worker, which is warmed up first. */
    fun jobs(stand: Stand, share: Double = 1.0, least: Int = sizes.minJobs): Int {
        val rate = rates.getOrPut(stand) { warmUp(stand) }
        val most = (sizes.maxDrainJobs * share).toInt()
        sizes.jobs?.let { return (it * share).toInt().coerceAtLeast(1) }
        return (rate * sizes.drainSeconds * share).toInt().coerceIn(least, most)
    }

    /** Drains until the compilers are done with the most used code. Returns the last rate. */
    private fun warmUp(stand: Stand): Double {
        val drain = Drain(stand)
        return (1..sizes.warmUps).fold(drain.rate(sizes.minJobs)) { rate, _ ->
            drain.rate((rate * WARM_UP_SECONDS).toInt().coerceIn(sizes.minJobs, sizes.maxDrainJobs))
        }
    }

    override fun close() = closeStands()

    private companion object {
        const val WARM_UP_SECONDS = 3
    }
}

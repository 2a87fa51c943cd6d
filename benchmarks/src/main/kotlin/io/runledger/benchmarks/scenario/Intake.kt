package io.runledger.benchmarks.scenario

import io.runledger.benchmarks.Bench
import io.runledger.benchmarks.workload.Enqueue
import io.runledger.benchmarks.workload.Idle

/** No worker drains the jobs, so the stands are closed afterwards. */
internal fun Bench.enqueue() {
    val stands = stands(entries { !it.isVariant })
    fun measure(name: String, rate: (Enqueue) -> Double) {
        stands.forEach { rate(Enqueue(it, sizes.enqueueSeconds / 2)) }
        report(name, "jobs/s", stands) { rate(Enqueue(it, sizes.enqueueSeconds)) }
    }
    measure("enqueue-single", Enqueue::single)
    measure("enqueue-bulk", Enqueue::bulk)
    closeStands()
}

internal fun Bench.idle() {
    val idle = Idle()
    val bare = idle.bareJvmMemory()
    report.add("bare-jvm-memory", bare / MEGABYTE, "MB")
    idle.measure(stands(entries { !it.isVariant && !it.isFloor })).forEach { (stand, cost) ->
        report.add("idle-transactions/${stand.name}", cost.transactions.toDouble(), "per-minute")
        report.add("idle-statements/${stand.name}", cost.statements.toDouble(), "per-minute")
        report.add("idle-memory/${stand.name}", cost.residentMemory / MEGABYTE, "MB")
        if (stand.entry.isJvm) {
            report.add("idle-memory-beyond-jvm/${stand.name}", (cost.residentMemory - bare) / MEGABYTE, "MB")
        }
    }
}

package io.runledger.coroutines

import java.time.Duration

/** A sentence for the log: the rows that a worker with this config deletes, and their age. */
internal fun WorkerConfig.retentionSummary(): String {
    val rows = buildList {
        retention.forEach { (status, age) -> add("jobs that ended as $status after ${age.inWords()}") }
        runRetention.forEach { (status, age) -> add("runs that ended as $status after ${age.inWords()}") }
        fireRetention?.let { add("the history of schedules after ${it.inWords()}") }
        pollRetention?.let { add("the history of triggers after ${it.inWords()}") }
        add("lost workers after ${workerRetention.inWords()}")
    }
    return "deletes ${rows.joinToString("; ")}. Everything else is kept."
}

private fun Duration.inWords(): String = when {
    toDays() == 1L && this == Duration.ofDays(1) -> "a day"
    this == Duration.ofDays(toDays()) && !isZero -> "${toDays()} days"
    else -> toString()
}

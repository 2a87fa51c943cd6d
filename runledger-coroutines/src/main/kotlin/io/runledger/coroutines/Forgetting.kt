package io.runledger.coroutines

import java.time.Duration

/** What a worker with this config deletes by itself, in a sentence for the log. */
internal fun WorkerConfig.forgetting(): String {
    val told = buildList {
        retention.forEach { (status, age) -> add("jobs that ended as $status after ${age.inWords()}") }
        runRetention.forEach { (status, age) -> add("runs that ended as $status after ${age.inWords()}") }
        fireRetention?.let { add("the history of schedules after ${it.inWords()}") }
        pollRetention?.let { add("the history of triggers after ${it.inWords()}") }
        add("workers that vanished after ${workerRetention.inWords()}")
    }
    return "forgets ${told.joinToString("; ")}. Everything else is kept."
}

private fun Duration.inWords(): String = when {
    toDays() == 1L && this == Duration.ofDays(1) -> "a day"
    this == Duration.ofDays(toDays()) && !isZero -> "${toDays()} days"
    else -> toString()
}

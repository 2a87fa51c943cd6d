package io.runledger.benchmarks.report

/** What we want to be, as ratios of figures of one run. A ratio without a goal is there to be watched. */
class Goals(private val report: Report) {
    fun table(): String = buildString {
        appendLine("| goal | wanted | reached | |")
        appendLine("|---|---:|---:|---|")
        ratios().forEach { appendLine(it) }
    }

    private fun ratios(): List<String> = listOfNotNull(
        atLeast("drain, of our tables in plain JDBC", DRAIN, 0.75, "drain/floor-ledger"),
        atLeast("drain, of db-scheduler", DRAIN, 3.0, "drain/db-scheduler"),
        atLeast("drain, of JobRunr", DRAIN, 12.0, "drain/jobrunr"),
        atLeast("drain, of Quartz", DRAIN, 40.0, "drain/quartz"),
        atLeast("drain, of DBOS", DRAIN, 20.0, "drain/dbos"),
        atLeast("drain, of graphile-worker", DRAIN, 1.0, "drain/graphile-worker"),
        atLeast("drain, of pg-boss", DRAIN, 1.0, "drain/pg-boss"),
        atLeast("drain with default settings, of the tuned worker", "drain-defaults/$DEFAULTS", 0.8, "drain-defaults/runledger"),
        atLeast("drain by batch handlers, of pg-boss", "drain-batch/runledger-batches", 1.0, "drain-batch/pg-boss"),
        atLeast("drain by a new process with default settings, of the best peer", "cold/$DEFAULTS", null, *peers("cold")),
        atLeast(
            "drain by a new process with default settings, of the warm one",
            "cold/$DEFAULTS",
            0.6,
            "drain-defaults/$DEFAULTS",
        ),
        limit("first handler of a new process with default settings, ms", "cold-first-handler/$DEFAULTS", 500.0, isUpper = true),
        atLeast("drain by a new process with default settings, of the tuned worker", "cold/$DEFAULTS", 0.8, "cold/runledger"),
        atMost(
            "first handler of a new process, of the best peer",
            "cold-first-handler/runledger",
            null,
            *peers("cold-first-handler"),
        ),
        atLeast("long drain, of the best peer at its best", "long/runledger", 0.85, *peers("long")),
        atLeast(
            "second half of a long drain, of the best peer at its best",
            "long-second-half/runledger",
            1.0,
            *peers("long-second-half"),
        ),
        atLeast("long drain with default settings, of the tuned worker", "long/$DEFAULTS", 0.8, "long/runledger"),
        atLeast("two processes, of one", "drain-processes-2/runledger", 1.0, "drain-processes-1/runledger"),
        atLeast("four processes, of one", "drain-processes-4/runledger", 0.9, "drain-processes-1/runledger"),
        atLeast(
            "payloads of 10 KB, of our tables in plain JDBC",
            "drain-payload-10000/runledger",
            0.8,
            "drain-payload-10000/floor-ledger",
        ),
        atLeast("bulk enqueue, of our tables in plain JDBC", "enqueue-bulk/runledger", 0.6, "enqueue-bulk/floor-ledger"),
        atLeast("single enqueue, of the best JVM peer", "enqueue-single/runledger", 1.0, *jvmPeers("enqueue-single")),
        atMost("pickup p50, of graphile-worker", "pickup-p50/runledger", 1.3, "pickup-p50/graphile-worker"),
        atMost("pickup p99, of graphile-worker", "pickup-p99/runledger", 1.5, "pickup-p99/graphile-worker"),
        atMost("pickup p50 in one process, of db-scheduler", "pickup-own-p50/runledger", 1.0, "pickup-own-p50/db-scheduler"),
        atMost("pickup p99 in one process, of db-scheduler", "pickup-own-p99/runledger", 1.0, "pickup-own-p99/db-scheduler"),
        atLeast(
            "1 + 100 + 1 steps, 1 run in flight, of the best peer",
            "workflow-1-in-flight/runledger",
            null,
            *peers("workflow-1-in-flight"),
        ),
        atLeast(
            "1 + 100 + 1 steps, 8 in flight, of the best peer",
            "workflow-8-in-flight/runledger",
            null,
            *peers("workflow-8-in-flight"),
        ),
        atLeast(
            "1 + 100 + 1 steps, 50 in flight, of the best peer",
            "workflow-50-in-flight/runledger",
            null,
            *peers("workflow-50-in-flight"),
        ),
        limit("1 + 100 + 1 steps, 50 in flight, runs/s", "workflow-50-in-flight/runledger", 80.0, isUpper = false),
        limit("a link of a chain, in pickups", "workflow-chain-link-in-pickups/runledger", 1.5, isUpper = true),
        atMost("idle transactions, of the best peer", "idle-transactions/runledger", 1.0, *peers("idle-transactions")),
        atLeast("drain beside 5 million old rows, of none", "drain-beside-5000000/runledger", 0.9, "drain-beside-0/runledger"),
        atLeast("drain under a pinned snapshot, of none", "drain-pinned/runledger", 0.7, DRAIN),
        limit("enqueue of a graph of 600, of plain INSERTs", "workflow-enqueue-600", 3.0, isUpper = true),
        limit("fan-out and fan-in of 1,000, of the plain drain", "fan-out-1000-of-plain-drain", 0.6, isUpper = false),
        limit("idle worker beyond the bare JVM, MB", "idle-memory-beyond-jvm/runledger", 100.0, isUpper = true),
        limit("heap with 10,000 suspended handlers, MB", "waiting-heap/runledger", 150.0, isUpper = true),
    )

    private fun atLeast(goal: String, ours: String, wanted: Double?, vararg theirs: String): String? {
        val best = theirs.mapNotNull { report[it] }.maxOrNull() ?: return null
        return line(goal, (report[ours] ?: return null) / best, wanted, isUpper = false)
    }

    private fun atMost(goal: String, ours: String, wanted: Double?, vararg theirs: String): String? {
        val best = theirs.mapNotNull { report[it] }.minOrNull() ?: return null
        return line(goal, (report[ours] ?: return null) / best, wanted, isUpper = true)
    }

    private fun limit(goal: String, name: String, wanted: Double?, isUpper: Boolean): String? =
        report[name]?.let { line(goal, it, wanted, isUpper) }

    private fun line(goal: String, reached: Double, wanted: Double?, isUpper: Boolean): String {
        if (wanted == null) return "| $goal | - | ${text(reached)} | |"
        val isMet = if (isUpper) reached <= wanted else reached >= wanted
        val sign = if (isUpper) "≤" else "≥"
        return "| $goal | $sign ${text(wanted)} | ${text(reached)} | ${if (isMet) "met" else "**missed**"} |"
    }

    private fun peers(workload: String) = (JVM_PEERS + NODE_PEERS).map { "$workload/$it" }.toTypedArray()

    private fun jvmPeers(workload: String) = JVM_PEERS.map { "$workload/$it" }.toTypedArray()

    private companion object {
        const val DRAIN = "drain/runledger"
        const val DEFAULTS = "runledger-defaults"
        val JVM_PEERS = listOf("db-scheduler", "jobrunr", "quartz", "dbos")
        val NODE_PEERS = listOf("graphile-worker", "graphile-worker-delay-0", "pg-boss", "pg-boss-large-batches", "pg-boss-flows")
    }
}

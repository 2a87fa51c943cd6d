package io.runledger.benchmarks.scenario

import io.runledger.benchmarks.Bench

/** A part of the benchmark that can be measured by itself. */
class Scenario(
    val name: String,
    /** Whether it belongs to a quick run too. */
    val isQuick: Boolean,
    /** For the list that people choose from. */
    val what: String,
    val measure: Bench.() -> Unit,
)

/** Every scenario, in the order of a full run. */
val SCENARIOS: List<Scenario> = listOf(
    Scenario("idle", isQuick = false, "cost of a worker without jobs: transactions, statements, memory") { idle() },
    Scenario("drain", isQuick = true, "rate of warm workers with a full queue, and processor time per job") { drain() },
    Scenario("drain-defaults", isQuick = true, "Runledger's worker with default settings beside the tuned one") {
        drainDefaults()
    },
    Scenario("metrics", isQuick = false, "the same drain with meters in a scraped registry and without") { metrics() },
    Scenario("batch", isQuick = false, "rate of handlers that take many jobs at once") { batch() },
    Scenario(
        "cold",
        isQuick = true,
        "60,000 jobs by a new process: rate and first handler after start(), work of the compilers",
    ) {
        cold()
    },
    Scenario("long", isQuick = false, "250,000 jobs by a new process: whole rate, and rate of the second half") { long() },
    Scenario("pickup", isQuick = true, "from the enqueue in one process to the handler's start in another") { pickup() },
    Scenario("pickup-own", isQuick = true, "from the enqueue to the handler's start in the same process") { pickupOwn() },
    Scenario("workflows", isQuick = true, "runs of 1 + 100 + 1 steps, 1, 8 and 50 in flight; chains of steps") { workflows() },
    Scenario("processes", isQuick = false, "one, two and four warm worker processes") { processes() },
    Scenario("payload", isQuick = false, "payloads of 10 KB and 200 KB") { payload() },
    Scenario("pinned", isQuick = false, "drain while a transaction keeps an old snapshot") { pinned() },
    Scenario("sustained", isQuick = false, "two threads enqueue while the worker drains") { sustained() },
    Scenario("waiting", isQuick = false, "handlers that wait for two seconds each, many at once") { waiting() },
    Scenario("enqueue", isQuick = true, "single jobs by four threads, and batches by one") { enqueue() },
    Scenario("graphs", isQuick = true, "start of runs against plain INSERTs; one run of 1,002 steps; 1,000 small runs") {
        graphs()
    },
    Scenario("console", isQuick = false, "pages of the console over five million jobs") { consolePages() },
    Scenario(
        "limits",
        isQuick = false,
        "drain without limits, with a key and permit per job, and beside a key that holds 50,000 jobs",
    ) {
        limits()
    },
    Scenario("beside", isQuick = false, "drain beside millions of finished and future jobs") { beside() },
)

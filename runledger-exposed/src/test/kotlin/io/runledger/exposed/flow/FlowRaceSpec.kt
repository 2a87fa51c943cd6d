package io.runledger.exposed.flow

import com.zaxxer.hikari.HikariConfig
import com.zaxxer.hikari.HikariDataSource
import io.kotest.assertions.withClue
import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.collections.shouldBeEmpty
import io.kotest.matchers.shouldBe
import io.runledger.exposed.RunledgerClient
import io.runledger.exposed.TestLedger
import io.runledger.exposed.about
import io.runledger.exposed.freshLedger
import io.runledger.exposed.leases
import io.runledger.exposed.racing
import io.runledger.model.flow.KeyedBy
import io.runledger.model.flow.LimitValues
import io.runledger.model.flow.Rate
import io.runledger.model.job.JobRequest
import io.runledger.model.json.Json
import io.runledger.model.lease.ClaimRequest
import io.runledger.model.lease.ClaimedJob
import io.runledger.model.lease.SettledJob
import io.runledger.model.lease.Verdict
import java.time.Duration
import java.util.concurrent.atomic.AtomicInteger
import kotlin.random.Random

/**
 * Four workers claim and end thousands of jobs at the same time, while others enqueue them. The checker then finds no instant at
 * which a limit, a rate or an order did not hold. `-Drunledger.seed=…` makes the same jobs again.
 */
class FlowRaceSpec :
    FunSpec({
        val seed = System.getProperty("runledger.seed")?.toLong() ?: Random.nextLong()

        /** Works until all jobs of [request] have ended, while they are enqueued. */
        fun drain(ledger: TestLedger, batches: Int, request: (producer: Int, random: Random) -> JobRequest) {
            val random = Random(seed)
            val seeds = List(WORKERS + PRODUCERS) { random.nextLong() }
            val workers = List(WORKERS) {
                val config = HikariConfig().apply {
                    dataSource = ledger.dataSource
                    maximumPoolSize = 1
                }
                RunledgerClient.builder(autoClose(HikariDataSource(config))).notifications(false).build()
            }
            val producing = AtomicInteger(PRODUCERS)
            val deadline = System.nanoTime() + Duration.ofMinutes(3).toNanos()
            racing(WORKERS + PRODUCERS) { place ->
                val own = Random(seeds[place])
                if (place < PRODUCERS) {
                    repeat(batches) { ledger.client.jobs.enqueueAll(List(own.nextInt(1, 40)) { request(place, own) }) }
                    producing.decrementAndGet()
                } else {
                    while (producing.get() > 0 || ledger.hasLiveJobs()) {
                        check(System.nanoTime() < deadline) { "Jobs are left: ${ledger.rows("$LIVE LIMIT 5")}" }
                        workers[place - PRODUCERS].work("w$place", own)
                    }
                }
            }
            withClue("jobs that have not ended") { ledger.rows(LIVE).shouldBeEmpty() }
            // All jobs of an order come from one thread. So each was committed before the next one, and the checker may know it.
            ledger.run("UPDATE runledger.job_queue SET created_at = created_at - interval '1 hour'")
            ledger.client.verify().contradictions().shouldBeEmpty()
            ledger.value("SELECT runledger.used_permits()") shouldBe "{}"
            ledger.value("SELECT deadlocks FROM pg_stat_database WHERE datname = current_database()") shouldBe "0"
        }

        test("limits, rates and orders hold while many workers claim at once (seed $seed)") {
            drain(freshLedger().apply { declareAll() }, batches = 70, ::request)
        }

        test("claims that use keys for the first time do not wait for each other in a circle (seed $seed)") {
            drain(freshLedger().apply { declareAll() }, batches = 70) { _, random ->
                // Most customers have two or three jobs.
                val customer = "new-${random.nextInt(1_200)}"
                val isPlain = random.nextInt(8) == 0
                JobRequest.builder(if (isPlain) "plain" else "push", Json.EMPTY_OBJECT).apply {
                    if (!isPlain) limit("customer", customer).shareKey(customer)
                }.build()
            }
        }
    })

private const val WORKERS = 4
private const val PRODUCERS = 2
private const val CUSTOMERS = 50
private const val LINES = 10
private val TYPES = listOf("plain", "push", "sync", "mail")

private const val LIVE =
    "SELECT id, job_type, status, limit_keys, order_key FROM runledger.job_queue WHERE status IN ('PENDING', 'LEASED')"

private fun TestLedger.hasLiveJobs() = rows("$LIVE LIMIT 1").isNotEmpty()

private fun TestLedger.declareAll() {
    putLimit("customer", LimitValues.permits(1), KeyedBy.KEY)
    putLimit("global", LimitValues.permits(5))
    putLimit("rated", LimitValues.rate(Rate(400, Duration.ofSeconds(1), 40)))
    defineWithFlow("plain", null)
    defineWithFlow("push", """{"limits":[{"name":"customer","by":"KEY"}],"share":{"by":"KEY"}}""")
    defineWithFlow("sync", """{"limits":[{"name":"global","by":"NONE"}],"order":{"by":"KEY"}}""")
    defineWithFlow("mail", """{"limits":[{"name":"global","by":"NONE"},{"name":"rated","by":"NONE"}]}""")
    // The checker judges only periods in which a limit has been the same for some time.
    age(Duration.ofHours(1))
}

private fun request(producer: Int, random: Random): JobRequest {
    val type = TYPES.random(random)
    return JobRequest.builder(type, Json.EMPTY_OBJECT).apply {
        val customer = "c${random.nextInt(CUSTOMERS)}"
        if (random.nextInt(4) == 0) priority(random.nextInt(98, 103))
        if (type == "push") limit("customer", customer).shareKey(customer)
        if (type == "sync") orderKey("$producer-${random.nextInt(LINES)}")
    }.build()
}

private fun RunledgerClient.work(worker: String, random: Random) {
    val claimed = leases.claim(ClaimRequest.of(TYPES, worker, Duration.ofMinutes(10), random.nextInt(1, 30)))
    claimed.shuffled(random).chunked(random.nextInt(1, 20)).forEach { settle(it, random) }
}

private fun RunledgerClient.settle(jobs: List<ClaimedJob>, random: Random) {
    var left = jobs.associate { it.lease() to verdict(random).about(it) }
    while (left.isNotEmpty()) {
        val busy = leases.settle(left).filter { it.result() == SettledJob.Result.BUSY }.map { it.lease() }.toSet()
        left = left.filterKeys { it in busy }
    }
}

/** Without dead letters, which would hold those behind them. */
private fun verdict(random: Random): Verdict = when (random.nextInt(20)) {
    0 -> Verdict.Release("test")
    1 -> Verdict.Snooze(Duration.ZERO)
    2 -> Verdict.Continue(null, null, Duration.ZERO)
    3 -> Verdict.Cancel("test")
    else -> Verdict.Succeed(null)
}

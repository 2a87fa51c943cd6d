package io.runledger.micrometer

import io.kotest.assertions.throwables.shouldThrow
import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import io.micrometer.prometheusmetrics.PrometheusConfig
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry
import io.runledger.exposed.RunledgerClient
import io.runledger.model.job.JobRequest
import io.runledger.model.job.JobType
import io.runledger.model.json.Json
import io.runledger.test.TestLedger
import io.runledger.test.freshLedger
import io.runledger.test.until
import java.sql.SQLException
import java.time.Duration
import java.util.concurrent.atomic.AtomicBoolean
import java.util.concurrent.atomic.AtomicInteger
import javax.sql.DataSource

class LedgerMetricsSpec :
    FunSpec({
        val always = Duration.ZERO
        val long = Duration.ofMinutes(1)

        /** Counts the connections that are taken, and gives none while it is away. */
        class Door(private val source: DataSource) : DataSource by source {
            val count = AtomicInteger()
            val isAway = AtomicBoolean()

            override fun getConnection() =
                if (isAway.get()) throw SQLException("Away.", "08001") else source.connection.also { count.incrementAndGet() }
        }

        fun TestLedger.enqueue(type: String, jobs: Int) {
            client.definitions.sync(listOf(JobType.json(type)))
            client.jobs.enqueueAll(List(jobs) { JobRequest.builder(type, Json.EMPTY_OBJECT).build() })
        }

        fun registry() = PrometheusMeterRegistry(PrometheusConfig.DEFAULT)

        /** The types are known after the first read, which the binding begins. */
        suspend fun PrometheusMeterRegistry.scrapeWithTypes(): Scrape {
            until("the types are read") { "type=" in scrape() }
            return Scrape(scrape())
        }

        test("the gauges are the rows of the ledger, with the schema as a tag") {
            val ledger = freshLedger()
            ledger.enqueue("mail", 3)
            ledger.enqueue("crawl", 2)
            val registry = registry()
            LedgerMetrics.builder(ledger.client).maxAge(always).patience(long).build().bindTo(registry)

            val scrape = registry.scrapeWithTypes()

            scrape.value("runledger_fleet_jobs", "ledger" to "runledger", "type" to "mail", "state" to "due") shouldBe 3.0
            scrape.value("runledger_fleet_jobs", "type" to "crawl", "state" to "due") shouldBe 2.0
            scrape.value("runledger_fleet_workers", "state" to "working") shouldBe 0.0
            (scrape.value("runledger_fleet_oldest_due_seconds", "type" to "mail") >= 0.0) shouldBe true
        }

        test("a scrape of all gauges is one statement, and a second one within the age none") {
            val ledger = freshLedger()
            ledger.enqueue("mail", 1)
            val door = Door(ledger.dataSource)
            val registry = registry()
            LedgerMetrics.builder(
                RunledgerClient.create(door),
            ).maxAge(Duration.ofHours(1)).patience(long).build().bindTo(registry)

            repeat(5) { registry.scrapeWithTypes() }

            door.count.get() shouldBe 1
        }

        test("while the database is away every gauge is NaN and the read counts as a failure, and then they have values again") {
            val ledger = freshLedger()
            ledger.enqueue("mail", 4)
            val door = Door(ledger.dataSource)
            val registry = registry()
            LedgerMetrics.builder(RunledgerClient.create(door)).maxAge(always).patience(long).build().bindTo(registry)
            registry.scrapeWithTypes()
            door.isAway.set(true)

            val away = Scrape(registry.scrape())
            door.isAway.set(false)
            val back = Scrape(registry.scrape())

            away.values.filterKeys {
                it.metric.startsWith("runledger_fleet_") && "read" !in it.metric
            }.values.all { it.isNaN() } shouldBe
                true
            (back.value("runledger_fleet_read_seconds_count", "outcome" to "failure") > 0) shouldBe true
            back.value("runledger_fleet_jobs", "type" to "mail", "state" to "due") shouldBe 4.0
        }

        test("a type that is defined later has gauges after the next read, and types beyond the limit are added up") {
            val ledger = freshLedger()
            ledger.enqueue("a", 1)
            val registry = registry()
            LedgerMetrics.builder(ledger.client).maxAge(always).patience(long).maxTypes(2).build().bindTo(registry)
            registry.scrapeWithTypes()
            listOf("b", "c", "d").forEachIndexed { n, type -> ledger.enqueue(type, n + 2) }
            registry.scrape()

            val scrape = Scrape(registry.scrape())

            fun due(type: String) = scrape.value("runledger_fleet_jobs", "type" to type, "state" to "due")
            listOf("a", "b", "other").map(::due) shouldBe listOf(1.0, 2.0, 7.0)
            scrape.of("runledger_fleet_jobs", "state" to "due").size shouldBe 3
        }

        test("two ledgers in one registry stay apart") {
            val ledgers = listOf("one", "two").map { freshLedger(it) }
            val registry = registry()
            ledgers.forEachIndexed { n, ledger ->
                ledger.enqueue("mail", n + 1)
                LedgerMetrics.builder(ledger.client).maxAge(always).patience(long).build().bindTo(registry)
            }
            until("both are read") {
                listOf("one", "two").all { "runledger_fleet_dead_letters{ledger=\"$it\"" in registry.scrape() }
            }

            val scrape = Scrape(registry.scrape())

            listOf("one", "two").map { scrape.value("runledger_fleet_jobs", "ledger" to it, "state" to "due") } shouldBe
                listOf(1.0, 2.0)
        }

        test("settings that make no sense are refused with their name") {
            val builder = LedgerMetrics.builder(freshLedger().client)

            shouldThrow<IllegalArgumentException> { builder.limit(0) }.message shouldContain "limit"
            shouldThrow<IllegalArgumentException> { builder.maxAge(Duration.ofSeconds(-1)) }.message shouldContain "maxAge"
            shouldThrow<IllegalArgumentException> { builder.patience(Duration.ofSeconds(-1)) }.message shouldContain "patience"
            shouldThrow<IllegalArgumentException> { builder.maxTypes(-1) }.message shouldContain "maxTypes"
        }
    })

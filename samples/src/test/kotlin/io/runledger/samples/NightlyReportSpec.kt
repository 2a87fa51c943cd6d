package io.runledger.samples

import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.collections.shouldContainExactly
import io.kotest.matchers.shouldBe
import io.runledger.coroutines.handlers
import io.runledger.coroutines.worker.RunledgerWorker
import io.runledger.model.json.Json
import io.runledger.model.ledger.Scope
import io.runledger.test.freshLedger
import java.time.Instant

class NightlyReportSpec :
    FunSpec({
        test("the report stays at half past two when the clocks change, and comes at three when there is no half past two") {
            nextNights(3, after = Instant.parse("2027-03-27T00:00:00Z")) shouldContainExactly
                listOf("2027-03-27T01:30:00Z", "2027-03-28T01:00:00Z", "2027-03-29T00:30:00Z").map(Instant::parse)
        }

        test("processes that start together save each schedule once") {
            val client = freshLedger().client

            repeat(3) { scheduleReports(client, listOf("north", "south")) }

            client.schedules.list(Scope.global()).items().map { it.name() } shouldContainExactly
                listOf("sales-north", "sales-south")
        }

        test("a night that has come is reported by any worker") {
            val client = freshLedger().client
            scheduleReports(client, listOf("north"))
            client.schedules.retime(Scope.global(), "sales-north", Instant.parse("2026-01-01T01:30:00Z"))
            val observer = SuccessObserver()

            RunledgerWorker.builder(client)
                .handlers(handlers { on(reportSales) { job -> "sold in the ${job.payload().region}" } })
                .observe(observer)
                .start()
                .use { client.jobs.get(Scope.global(), observer.succeeded()).output() shouldBe Json.of("\"sold in the north\"") }
        }
    })

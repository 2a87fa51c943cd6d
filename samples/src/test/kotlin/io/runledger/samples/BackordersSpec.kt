package io.runledger.samples

import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.ints.shouldBeGreaterThan
import io.kotest.matchers.shouldBe
import io.runledger.model.job.JobStatus
import io.runledger.model.json.Json
import io.runledger.model.ledger.Scope
import io.runledger.test.CrashPoints
import io.runledger.test.TestLedger
import io.runledger.test.freshLedger
import java.time.Duration
import java.time.Instant
import java.time.temporal.ChronoUnit
import java.util.UUID

class StockForTests(var isIn: Boolean = false) : Stock {
    override fun has(item: String) = isIn

    override fun ship(item: String) = "shipped $item"
}

class BackordersSpec :
    FunSpec({
        fun TestLedger.job(id: UUID) = client.jobs.get(Scope.global(), id)

        fun TestLedger.order(notBefore: Instant = Instant.EPOCH): UUID {
            client.definitions.declare(shipBackorder)
            return client.jobs.enqueue(shipBackorder, Backorder("lamp", notBefore)).id()
        }

        test("an order for a later day waits until that day, without a try") {
            val ledger = freshLedger()
            val day = Instant.now().plus(Duration.ofDays(2)).truncatedTo(ChronoUnit.MILLIS)
            val id = ledger.order(day)

            ledger.work(backorders(StockForTests(isIn = true)))

            ledger.job(id).status() shouldBe JobStatus.PENDING
            ledger.job(id).nextRunAt() shouldBe day
            ledger.job(id).interruptions() shouldBe 1
        }

        test("an order ships when the goods have come in, however often it asked") {
            val ledger = freshLedger()
            val id = ledger.order()
            val stock = StockForTests()

            repeat(20) {
                ledger.work(backorders(stock))
                ledger.job(id).status() shouldBe JobStatus.PENDING
                ledger.advance(Duration.ofMinutes(10))
            }
            stock.isIn = true
            ledger.work(backorders(stock))

            ledger.job(id).output() shouldBe Json.of("\"shipped lamp\"")
        }

        test("an order whose goods never come gives up after three days, and says why") {
            val ledger = freshLedger()
            val id = ledger.order()

            ledger.work(backorders(StockForTests()))
            ledger.advance(Duration.ofDays(3))
            ledger.work(backorders(StockForTests()))

            ledger.client.jobs.deadLetters(Scope.global(), id).items().single().errorCode() shouldBe "stock.missing"
        }

        test("wherever its process dies, an order goes on waiting") {
            lateinit var id: UUID
            val points = CrashPoints.of { id = it.order() }.handlers { backorders(StockForTests()) }.check { ledger ->
                ledger.job(id).status() shouldBe JobStatus.PENDING
                ledger.job(id).lastErrorCode() shouldBe null
            }

            points shouldBeGreaterThan 1
        }
    })

package io.runledger.exposed.fleet

import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.collections.shouldBeEmpty
import io.kotest.matchers.collections.shouldContainExactly
import io.kotest.matchers.shouldBe
import io.runledger.exposed.TestLedger
import io.runledger.exposed.freshLedger
import io.runledger.exposed.membership
import io.runledger.exposed.until
import io.runledger.model.fleet.WorkerSelection
import io.runledger.model.fleet.WorkerState
import java.util.concurrent.CompletableFuture
import java.util.concurrent.CyclicBarrier
import java.util.concurrent.TimeUnit

private val all = WorkerSelection.all()

class OrderRacesSpec :
    FunSpec({
        fun <T> background(work: () -> T): CompletableFuture<T> = CompletableFuture.supplyAsync(work)

        fun <T> CompletableFuture<T>.soon(): T = get(1, TimeUnit.MINUTES)

        fun TestLedger.awaitBlocked() = until("somebody waits for a lock") {
            value("SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'") != "0"
        }

        test("a worker whose coming is not yet committed when a drain is given is not named, and learns of it before it claims") {
            val ledger = freshLedger()
            val card = card("w1")
            ledger.database.connect().use { connection ->
                connection.autoCommit = false
                ledger.client.within(connection).membership.enter(card)

                ledger.client.workers.drain(all, "now").workers().shouldBeEmpty()
                connection.commit()
            }

            ledger.client.isToDrain(card.id()) shouldBe true
        }

        test("a worker that comes while a drain is given is named or knows of it, whoever is faster") {
            val ledger = freshLedger()
            val client = ledger.client
            val start = CyclicBarrier(2)
            var knew = 0

            repeat(100) { round ->
                val card = card("w$round")
                val coming = background {
                    start.await()
                    client.membership.enter(card)
                    client.isToDrain(card.id())
                }
                val draining = background {
                    start.await()
                    client.workers.drain(all, "round $round").workers().map { it.id() }
                }

                val (knows, named) = coming.soon() to draining.soon()
                (knows == true || card.id() in named) shouldBe true
                if (knows == true) knew++
                client.workers.resume(all, "over")
                client.membership.leave(card.id())
            }
            println("$knew of 100 knew of the order when they came; the others were named.")
        }

        test("a beat that waits for a stop under way answers with it") {
            val ledger = freshLedger()
            val id = ledger.client.comes("w1")
            ledger.database.connect().use { connection ->
                connection.autoCommit = false
                val given = ledger.client.within(connection).workers.stop(all, "now")
                val beat = background { ledger.client.membership.beat(id, WorkerState.WORKING, 0) }
                ledger.awaitBlocked()
                connection.commit()

                beat.soon()?.stopOrder() shouldBe given.order()
            }
        }

        test("a stop that waits for a beat under way is obeyed with the next one") {
            val ledger = freshLedger()
            val id = ledger.client.comes("w1")
            ledger.database.connect().use { connection ->
                connection.autoCommit = false
                ledger.client.within(connection).membership.beat(id, WorkerState.WORKING, 5)?.stopOrder() shouldBe null
                val stop = background { ledger.client.workers.stop(all, "now") }
                ledger.awaitBlocked()
                connection.commit()

                stop.soon().workers().map { it.id() to it.busySlots() } shouldContainExactly listOf(id to 5)
            }
            ledger.client.membership.beat(id, WorkerState.WORKING, 5)?.stopOrder()?.reason() shouldBe "now"
        }

        test("many who order and resume at once wait for each other and never deadlock") {
            val ledger = freshLedger()
            val ids = List(9) { ledger.client.comes("w$it", "l${it % 3}") }
            val start = CyclicBarrier(6)

            val orders = List(6) { n ->
                background {
                    start.await()
                    repeat(5) { round ->
                        val whom = if (round % 2 == 0) all else WorkerSelection.labelled("l${(n + round) % 3}")
                        ledger.client.workers.drain(whom, "drain")
                        ledger.client.workers.stop(whom, "stop")
                        ids.forEach { ledger.client.membership.beat(it, WorkerState.WORKING, n) }
                        ledger.client.workers.resume(whom, "resume")
                    }
                }
            }

            orders.forEach { it.soon() }
            ledger.client.workers.standingOrders().shouldBeEmpty()
            ids.forEach { ledger.client.isToDrain(it) shouldBe false }
        }
    })

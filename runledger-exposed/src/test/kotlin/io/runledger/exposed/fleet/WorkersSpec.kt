package io.runledger.exposed.fleet

import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.collections.shouldBeEmpty
import io.kotest.matchers.collections.shouldContainExactly
import io.kotest.matchers.collections.shouldHaveSize
import io.kotest.matchers.shouldBe
import io.runledger.exposed.RunledgerClient
import io.runledger.exposed.claim
import io.runledger.exposed.define
import io.runledger.exposed.enqueue
import io.runledger.exposed.freshLedger
import io.runledger.exposed.membership
import io.runledger.exposed.shouldRefuse
import io.runledger.exposed.signal.Heard
import io.runledger.exposed.signal.Signal
import io.runledger.model.error.ErrorCode
import io.runledger.model.fleet.WorkerOrderKind
import io.runledger.model.fleet.WorkerSelection
import io.runledger.model.fleet.WorkerState
import java.time.Duration
import java.time.Instant
import java.util.UUID

private val all = WorkerSelection.all()
private val eu = WorkerSelection.labelled("eu")

class WorkersSpec :
    FunSpec({
        test("the list tells what each worker said of itself and of its last beat, and forgets who left") {
            val client = freshLedger().client
            val card = card("w1", "eu", "gpu")
            client.membership.enter(card)
            client.membership.enter(card)
            client.membership.beat(card.id(), WorkerState.DRAINING, 3, 250)
            client.comes("w0")

            val worker = client.workers.list(eu).single()

            worker.id() shouldBe card.id()
            worker.workerId() shouldBe "w1"
            worker.labels() shouldBe setOf("eu", "gpu")
            worker.jobTypes() shouldContainExactly listOf("mail")
            worker.slots() to worker.busySlots() shouldBe (8 to 3)
            worker.heldJobs() shouldBe 250
            worker.libraryVersion() to worker.applicationVersion() shouldBe ("1.2.3" to "shop 7")
            worker.host() to worker.processId() shouldBe ("pod-1" to 4711L)
            worker.state() shouldBe WorkerState.DRAINING
            worker.isLost shouldBe false
            client.workers.list().map { it.workerId() } shouldContainExactly listOf("w0", "w1")
            client.membership.leave(card.id()) shouldBe true
            client.membership.leave(card.id()) shouldBe false
            client.workers.list().map { it.workerId() } shouldContainExactly listOf("w0")
        }

        test("the jobs of a worker are told, those that run first, up to a limit, and no others") {
            val ledger = freshLedger().define("mail")
            val ids = List(3) { ledger.enqueue().id() }
            ledger.claim(limit = 2, worker = "w1")
            ledger.claim(limit = 1, worker = "w2")
            val running = ledger.client.workers.heldJobs("w1").map { it.jobId() }.max()
            ledger.run("UPDATE runledger.job_queue SET execution_started_persisted_at = now() WHERE id = '$running'")

            val held = ledger.client.workers.heldJobs("w1")

            held shouldHaveSize 2
            held.first().jobId() shouldBe running
            (held.first().startedAt() != null) to held.last().startedAt() shouldBe (true to null)
            held.map { it.attempt() to it.runNumber() }.toSet() shouldBe setOf(1 to 1)
            ledger.client.workers.heldJobs("w1", 1).map { it.jobId() } shouldContainExactly listOf(running)
            (held + ledger.client.workers.heldJobs("w2")).map { it.jobId() }.toSet() shouldBe ids.toSet()
            ledger.client.workers.heldJobs("unknown\u0000").shouldBeEmpty()
            shouldRefuse(ErrorCode.INVALID_PAGINATION) { ledger.client.workers.heldJobs("w1", 0) }
        }

        test("an instant that PostgreSQL cannot store is refused") {
            val ledger = freshLedger().client
            val workers = ledger.workers

            listOf(Instant.MIN, Instant.MAX).forEach { since ->
                shouldRefuse(ErrorCode.INVALID_ARGUMENT) { ledger.membership.enter(card("w1"), since) }
            }
            workers.list().shouldBeEmpty()
        }

        test("a worker is lost after three of its own beats by the database's clock, and found with the next one") {
            val ledger = freshLedger()
            val id = ledger.client.comes("w1")
            fun isLostAfter(age: String): Boolean {
                ledger.run("UPDATE runledger.workers SET beat_at = now() - interval '$age'")
                return ledger.client.workers.list().single().isLost
            }

            isLostAfter("80 seconds") shouldBe false
            isLostAfter("91 seconds") shouldBe true
            ledger.client.isToDrain(id) shouldBe false
            ledger.client.workers.list().single().isLost shouldBe false
        }

        test("a drain binds those who are there and those who come, by label, until it is lifted") {
            val client = freshLedger().client
            val (there, other) = client.comes("there", "eu") to client.comes("other", "us")

            val given = client.workers.drain(eu, "Deploy 4.2")

            given.order().kind() shouldBe WorkerOrderKind.DRAIN
            given.workers().map { it.workerId() } shouldContainExactly listOf("there")
            client.isToDrain(there) shouldBe true
            client.isToDrain(other) shouldBe false
            client.isToDrain(client.comes("late", "eu", "gpu")) shouldBe true
            client.workers.standingOrders() shouldContainExactly listOf(given.order())

            val lifted = client.workers.resume(eu, "Deployed.")

            lifted.orders().single().lifted()?.reason() shouldBe "Deployed."
            lifted.workers().map { it.workerId() } shouldContainExactly listOf("late", "there")
            client.isToDrain(there) shouldBe false
            client.workers.standingOrders().shouldBeEmpty()
        }

        test("every order is kept, with who gave it and why; resuming lifts what was given for exactly that selection") {
            val ledger = freshLedger()
            val client = ledger.client
            val id = client.comes("w1", "eu")
            client.workers.drain(eu, "first")
            client.workers.drain(eu, "second")
            client.workers.drain(all, "third")

            client.workers.resume(eu, "done").orders().map { it.reason() } shouldContainExactly listOf("first", "second")
            client.isToDrain(id) shouldBe true
            client.workers.resume(eu, "again").orders().shouldBeEmpty()
            client.workers.resume(all, "done").orders() shouldHaveSize 1
            client.isToDrain(id) shouldBe false

            client.workers.orders(2).items().map { it.reason() } shouldContainExactly listOf("third", "second")
            client.workers.orders(10).items() shouldHaveSize 3
            client.workers.orders(1).items().single().orderedBy() shouldBe ledger.value("SELECT session_user")
        }

        test("orders are paged, the latest first, also when orders are given between two pages") {
            val workers = freshLedger().client.workers
            repeat(5) { workers.drain(all, "order $it") }

            val first = workers.orders(2)
            workers.drain(all, "given later")
            val second = workers.orders(2, first.next())
            val third = workers.orders(2, second.next())

            listOf(first, second, third).map { page -> page.items().map { it.reason() } } shouldContainExactly
                listOf(listOf("order 4", "order 3"), listOf("order 2", "order 1"), listOf("order 0"))
            third.next() shouldBe null
            workers.orders().items() shouldHaveSize 6
            shouldRefuse(ErrorCode.INVALID_PAGINATION) { workers.orders(2, "not a cursor") }
            listOf(0, 1_001).forEach { shouldRefuse(ErrorCode.INVALID_PAGINATION) { workers.orders(it) } }
        }

        test("of two who drain the same workers, the first that is done does not let them go on: each lifts its own order") {
            val ledger = freshLedger()
            val client = ledger.client
            val id = client.comes("w1", "eu")
            val first = client.workers.drain(eu, "Deploy 4.2").order()
            val second = client.workers.drain(eu, "Migration").order()

            val lifted = client.workers.resume(first.id(), "Deployed.")

            lifted.orders().map { it.id() to it.lifted()?.reason() } shouldContainExactly listOf(first.id() to "Deployed.")
            lifted.workers().map { it.id() } shouldContainExactly listOf(id)
            client.isToDrain(id) shouldBe true
            client.workers.standingOrders() shouldContainExactly listOf(second)
            client.workers.resume(first.id(), "again").orders().shouldBeEmpty()
            ledger.database.connect().use { connection ->
                connection.autoCommit = false
                ledger.client.within(connection).workers.resume(second.id(), "Migrated.").orders() shouldHaveSize 1
                client.isToDrain(id) shouldBe true
                connection.commit()
            }
            client.isToDrain(id) shouldBe false
        }

        test("what is no standing order cannot be lifted by its id") {
            val client = freshLedger().client
            client.comes("w1")
            val stop = client.workers.stop(all, "Too old.").order()

            listOf(stop.id(), UUID.randomUUID()).forEach {
                client.workers.resume(it, "Over.").orders().shouldBeEmpty()
            }
            client.workers.orders(10).items() shouldContainExactly listOf(stop)
        }

        test("a drain whose answer cannot be given does not stay behind") {
            val ledger = freshLedger()
            val blind = RunledgerClient.create(
                ledger.asRole {
                    listOf(
                        "GRANT USAGE ON SCHEMA runledger TO $it",
                        "GRANT SELECT, INSERT, UPDATE ON runledger.worker_orders TO $it",
                    )
                },
            )

            shouldRefuse(ErrorCode.PERMISSION_DENIED) { blind.workers.drain(all, "Deploy 4.2") }
            ledger.client.workers.standingOrders().shouldBeEmpty()
            ledger.client.workers.orders(10).items().single().lifted()?.reason() shouldBe "The call that gave the order failed."
        }

        test("a drain that is refused in the caller's transaction is not in it") {
            val ledger = freshLedger()
            ledger.database.connect().use { connection ->
                connection.autoCommit = false
                connection.createStatement().use { it.execute("ALTER TABLE runledger.workers RENAME TO away") }

                shouldRefuse(ErrorCode.SCHEMA_MISSING) { ledger.client.within(connection).workers.drain(all, "Deploy 4.2") }
                ledger.client.within(connection).workers.standingOrders().shouldBeEmpty()
            }
        }

        test("a stop is for exactly those it names: who comes later, also under the same name, is not meant") {
            val client = freshLedger().client
            val ids = listOf("a", "b").map { client.comes(it, "eu") }
            val other = client.comes("c", "us")

            val given = client.workers.stop(eu, "Too old.")
            val later = client.comes("a", "eu")

            given.workers().map { it.id() } shouldContainExactly ids
            ids.forEach { client.membership.beat(it, WorkerState.STOPPING, 1)?.stopOrder() shouldBe given.order() }
            listOf(other, later).forEach { client.membership.beat(it, WorkerState.WORKING, 0)?.stopOrder() shouldBe null }
            client.workers.standingOrders().shouldBeEmpty()
        }

        test("a worker that was away for longer than retention waits is still told to stop when it comes back") {
            val ledger = freshLedger()
            val client = ledger.client
            client.workers.stop(all, "Before it came.")
            val (card, other) = card("w1", "eu") to card("w2", "us")
            val since = listOf(card, other).associateWith { client.membership.enter(it) }
            val given = client.workers.stop(eu, "Too old.")
            ledger.run("UPDATE runledger.workers SET beat_at = now() - interval '2 days'")
            client.retention.pruneWorkers(Duration.ofDays(1), 100) shouldBe 2

            since.forEach { (back, at) -> client.membership.enter(back, at) shouldBe at }

            client.membership.beat(card.id(), WorkerState.WORKING, 0)?.stopOrder() shouldBe given.order()
            client.membership.beat(other.id(), WorkerState.WORKING, 0)?.stopOrder() shouldBe null
            client.workers.list().map { it.startedAt() } shouldContainExactly listOf(since[card], since[other])
        }

        test("one call lifts every order, whoever it is for") {
            val ledger = freshLedger()
            val client = ledger.client
            val ids = listOf("eu", "us").map { client.comes("w-$it", it) }
            val given = listOf(eu, WorkerSelection.labelled("us"), all, eu)
                .map { client.workers.drain(it, "Deploy.").order().id() }
            client.workers.stop(WorkerSelection.labelled("nobody"), "Stays what it is.")

            val lifted = client.workers.resumeAll("All is well.")

            lifted.orders().map { it.id() } shouldContainExactly given
            lifted.orders().map { it.lifted()?.reason() }.toSet() shouldBe setOf("All is well.")
            lifted.workers().map { it.id() } shouldContainExactly ids
            ids.forEach { client.isToDrain(it) shouldBe false }
            client.workers.standingOrders().shouldBeEmpty()
            client.workers.resumeAll("again").orders().shouldBeEmpty()
        }

        test("a drain with a limit ends on its own by the database's clock, and says when") {
            val ledger = freshLedger()
            val client = ledger.client
            val id = client.comes("w1", "eu")
            val order = client.workers.drain(eu, "Deploy 4.2", Duration.ofMinutes(20)).order()

            Duration.between(order.orderedAt(), order.endsAt()) shouldBe Duration.ofMinutes(20)
            client.workers.standingOrders() shouldContainExactly listOf(order)
            client.isToDrain(id) shouldBe true

            ledger.run("UPDATE runledger.worker_orders SET ends_at = ends_at - interval '1 hour'")

            client.isToDrain(id) shouldBe false
            client.workers.standingOrders().shouldBeEmpty()
            val ended = client.workers.orders(1).items().single()
            ended.isStanding shouldBe false
            ended.lifted()?.at() shouldBe ended.endsAt()
            client.workers.resume(order.id(), "Over.").orders().shouldBeEmpty()
            client.workers.resume(eu, "Over.").orders().shouldBeEmpty()
            client.workers.resumeAll("Over.").orders().shouldBeEmpty()
        }

        test("who is not on the list is told so when it beats") {
            freshLedger().client.membership.beat(UUID.randomUUID(), WorkerState.WORKING, 0) shouldBe null
        }

        test("an order in the caller's transaction happens when that commits, and is heard then") {
            val ledger = freshLedger()
            val id = ledger.client.comes("w1")
            val heard = Heard()
            ledger.client.signals.subscribe(heard).use {
                heard.shouldHear(Signal.Resumed)
                ledger.database.connect().use { connection ->
                    connection.autoCommit = false
                    ledger.client.within(connection).workers.drain(all, "never")
                    connection.rollback()
                    val given = ledger.client.within(connection).workers.drain(all, "maintenance")
                    ledger.client.isToDrain(id) shouldBe false
                    connection.commit()

                    heard.shouldHear(Signal.ChangedOrder(given.order().id()))
                }
                ledger.client.isToDrain(id) shouldBe true
                ledger.client.workers.orders(10).items() shouldHaveSize 1
                val lifted = ledger.client.workers.resume(all, "over").orders().single()
                heard.shouldHear(Signal.ChangedOrder(lifted.id()))
            }
        }

        test("ledgers in two schemas of a database have workers and orders of their own") {
            val ledger = freshLedger()
            val other = RunledgerClient.builder(ledger.dataSource).schema("other").build().also { it.migrate() }
            val (here, there) = ledger.client.comes("w1", "eu") to other.comes("w1", "eu")
            val heard = Heard()
            other.signals.subscribe(heard).use {
                heard.shouldHear(Signal.Resumed)

                ledger.client.workers.drain(eu, "here").workers().map { it.id() } shouldContainExactly listOf(here)
                ledger.client.workers.stop(all, "here").workers().map { it.id() } shouldContainExactly listOf(here)

                val answer = other.membership.beat(there, WorkerState.WORKING, 0)
                answer?.isToDrain to answer?.stopOrder() shouldBe (false to null)
                other.workers.orders(10).items().shouldBeEmpty()
                other.workers.resume(eu, "there").orders().shouldBeEmpty()
                val own = other.workers.drain(all, "there").order()
                heard.shouldHear(Signal.ChangedOrder(own.id()))
            }
            ledger.client.workers.standingOrders() shouldHaveSize 1
        }

        test("what makes no sense is refused and changes nothing") {
            val client = freshLedger().client

            shouldRefuse(ErrorCode.INVALID_ARGUMENT) { client.workers.drain(all, " ") }
            listOf(Duration.ZERO, Duration.ofDays(-1), Duration.ofDays(36_501)).forEach {
                shouldRefuse(ErrorCode.INVALID_ARGUMENT) { client.workers.drain(all, "Deploy.", it) }
            }
            shouldRefuse(ErrorCode.INVALID_ARGUMENT) { client.workers.resume(all, "") }
            shouldRefuse(ErrorCode.INVALID_ARGUMENT) { client.workers.resumeAll("") }
            shouldRefuse(ErrorCode.INVALID_ARGUMENT) { client.workers.resume(UUID.randomUUID(), "") }
            shouldRefuse(ErrorCode.INVALID_ARGUMENT) { client.workers.stop(all, "\u0000") }
            shouldRefuse(ErrorCode.INVALID_ARGUMENT) { WorkerSelection.labelled(" ") }
            shouldRefuse(ErrorCode.INVALID_ARGUMENT) { card("w1", "\n") }
            shouldRefuse(ErrorCode.INVALID_ARGUMENT) { client.membership.beat(UUID.randomUUID(), WorkerState.WORKING, -1) }
            client.workers.orders(10).items().shouldBeEmpty()
        }

        test("retention takes those off the list that vanished long ago, and nobody who beats") {
            val ledger = freshLedger()
            val ids = listOf("gone", "slow", "there").map { ledger.client.comes(it) }
            ledger.run(
                "UPDATE runledger.workers SET beat_at = now() - interval '2 days' WHERE worker_id <> 'there'",
                "UPDATE runledger.workers SET beat_ms = 86400000 WHERE worker_id = 'slow'",
            )

            ledger.client.retention.pruneWorkers(Duration.ofDays(1), 100) shouldBe 1
            ledger.client.retention.pruneWorkers(Duration.ZERO, 100) shouldBe 0

            ledger.client.workers.list().map { it.id() } shouldContainExactly ids.drop(1)
            ledger.client.membership.beat(ids.first(), WorkerState.WORKING, 0) shouldBe null
            ledger.client.verify().isSound shouldBe true
        }
    })

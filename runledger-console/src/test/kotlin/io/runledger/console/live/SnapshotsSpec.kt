package io.runledger.console.live

import io.kotest.assertions.throwables.shouldThrow
import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.collections.shouldContainExactly
import io.kotest.matchers.shouldBe
import io.runledger.model.ledger.Scope
import io.runledger.test.until
import java.time.Duration
import java.util.UUID
import java.util.concurrent.CompletableFuture
import java.util.concurrent.CountDownLatch
import java.util.concurrent.TimeUnit
import java.util.concurrent.atomic.AtomicInteger
import kotlin.concurrent.thread

class SnapshotsSpec :
    FunSpec({
        var now = 0L
        val lifetime = Duration.ofSeconds(2)

        fun snapshots() = Snapshots(lifetime) { now }

        fun key(what: String, scope: Scope = Scope.everything()) = Snapshots.Key(scope, what)

        test("many who ask at once cause one read") {
            val snapshots = snapshots()
            val reads = AtomicInteger()
            val isReading = CountDownLatch(1)
            val mayEnd = CountDownLatch(1)
            fun ask() = snapshots.get(key("counts")) {
                isReading.countDown()
                mayEnd.await(1, TimeUnit.MINUTES)
                reads.incrementAndGet()
            }

            val answers = List(50) { CompletableFuture<Int>() }
            val first = thread { answers[0].complete(ask()) }
            isReading.await(1, TimeUnit.MINUTES) shouldBe true
            val rest = answers.drop(1).map { answer -> thread { answer.complete(ask()) } }
            until("the others wait for the first") { rest.all { it.state == Thread.State.WAITING } }
            mayEnd.countDown()
            (rest + first).forEach { it.join() }

            answers.map { it.getNow(-1) }.toSet() shouldBe setOf(1)
            reads.get() shouldBe 1
        }

        test("an answer is kept for its lifetime and read again after that") {
            val snapshots = snapshots()
            var reads = 0
            fun ask() = snapshots.get(key("counts")) { ++reads }

            val first = listOf(ask(), ask())
            now += lifetime.toNanos() - 1
            val last = ask()
            now += 1
            val next = ask()

            first + last + next shouldContainExactly listOf(1, 1, 1, 2)
        }

        test("a failed read is not kept, and the next one asks again") {
            val snapshots = snapshots()
            var reads = 0
            fun ask(): Int = snapshots.get(key("counts")) {
                if (++reads == 1) throw IllegalStateException("The database is away.")
                reads
            }

            shouldThrow<IllegalStateException> { ask() }.message shouldBe "The database is away."

            ask() shouldBe 2
        }

        test("scopes do not share answers") {
            val snapshots = snapshots()
            val (one, other) = List(2) { Scope.organization(UUID.randomUUID()) }

            snapshots.get(key("jobs", one)) { "of one" } shouldBe "of one"
            snapshots.get(key("jobs", other)) { "of the other" } shouldBe "of the other"
            snapshots.get(key("jobs", one)) { "again" } shouldBe "of one"
        }

        test("an action makes everything be read again, also what is being read while it happens") {
            val snapshots = snapshots()

            snapshots.get(key("jobs")) {
                snapshots.clear()
                "before"
            } shouldBe "before"

            snapshots.get(key("jobs")) { "after" } shouldBe "after"
        }

        test("the number of answers is limited") {
            val snapshots = snapshots()
            repeat(2_000) { snapshots.get(key("page $it")) { it } }

            var isReadAgain = false
            snapshots.get(key("page 0")) { isReadAgain = true }

            isReadAgain shouldBe true
        }
    })

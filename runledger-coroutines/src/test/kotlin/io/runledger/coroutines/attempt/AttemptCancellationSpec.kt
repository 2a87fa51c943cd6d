package io.runledger.coroutines.attempt

import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.collections.shouldContainExactly
import io.kotest.matchers.shouldBe
import io.runledger.model.handler.Cancellation.Reason
import kotlinx.coroutines.CompletableDeferred
import java.util.concurrent.CopyOnWriteArrayList
import java.util.concurrent.CountDownLatch
import java.util.concurrent.CyclicBarrier
import java.util.concurrent.atomic.AtomicInteger
import kotlin.concurrent.thread

class AttemptCancellationSpec :
    FunSpec({
        test("the first reason wins, and the caller learns whether it was the first") {
            val cancellation = AttemptCancellation()

            cancellation.isRequested() shouldBe false
            cancellation.request(Reason.CANCELED) shouldBe true
            cancellation.request(Reason.SHUTDOWN) shouldBe false

            cancellation.reason().get() shouldBe Reason.CANCELED
            cancellation.isOver() shouldBe true
        }

        test("an action is called once: at the request, or at once if it comes later") {
            val cancellation = AttemptCancellation()
            val called = mutableListOf<String>()
            cancellation.whenRequested { called += "before" }

            cancellation.request(Reason.TIMEOUT)
            cancellation.request(Reason.CANCELED)
            cancellation.whenRequested { called += "after" }

            called shouldContainExactly listOf("before", "after")
        }

        test("a hook gets the reason on another thread, and a closed hook gets nothing") {
            val cancellation = AttemptCancellation()
            val got = CompletableDeferred<Pair<Reason, Thread>>()
            val closed = CopyOnWriteArrayList<Reason>()
            cancellation.onRequest { closed += it }.close()
            cancellation.onRequest { got.complete(it to Thread.currentThread()) }

            cancellation.request(Reason.LEASE_LOST)

            val (reason, on) = got.await()
            reason shouldBe Reason.LEASE_LOST
            (on == Thread.currentThread()) shouldBe false
            closed shouldContainExactly emptyList()
        }

        test("another reason after a timeout is known to those who waited for it and to those who ask later") {
            val early = AttemptCancellation().also { it.request(Reason.TIMEOUT) }
            val waited = early.afterTimeout
            early.isOver() shouldBe false
            early.request(Reason.CANCELED)
            early.request(Reason.SHUTDOWN)

            val late = AttemptCancellation().also { it.request(Reason.TIMEOUT) }
            late.request(Reason.TIMEOUT)
            late.isOver() shouldBe false
            late.request(Reason.SHUTDOWN)

            waited.await() shouldBe Reason.CANCELED
            late.afterTimeout.await() shouldBe Reason.SHUTDOWN
            listOf(early, late).map { it.isOver() } shouldContainExactly listOf(true, true)
        }

        test("requests and actions that meet call each action exactly once") {
            repeat(500) {
                val cancellation = AttemptCancellation()
                val calls = AtomicInteger()
                val first = AtomicInteger()
                val barrier = CyclicBarrier(4)
                val ended = CountDownLatch(4)
                repeat(2) { n ->
                    thread {
                        barrier.await()
                        if (cancellation.request(Reason.entries[n])) first.incrementAndGet()
                        ended.countDown()
                    }
                    thread {
                        barrier.await()
                        cancellation.whenRequested { calls.incrementAndGet() }
                        ended.countDown()
                    }
                }
                ended.await()

                first.get() shouldBe 1
                calls.get() shouldBe 2
            }
        }
    })

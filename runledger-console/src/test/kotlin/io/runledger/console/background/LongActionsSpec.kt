package io.runledger.console.background

import io.kotest.assertions.throwables.shouldThrow
import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.shouldBe
import io.runledger.test.until
import java.time.Duration
import java.util.concurrent.CountDownLatch
import java.util.concurrent.atomic.AtomicInteger

class LongActionsSpec :
    FunSpec({
        val minute = Duration.ofMinutes(1)

        test("an action is started once, however often its key is") {
            val actions = autoClose(LongActions())
            val starts = AtomicInteger()

            repeat(3) { actions.start("one") { starts.incrementAndGet() } shouldBe true }

            actions.await("one", minute) shouldBe true
            starts.get() shouldBe 1
        }

        test("one too many is refused, and accepted when another one has ended") {
            val actions = autoClose(LongActions(atOnce = 2))
            val gate = CountDownLatch(1)
            actions.start("one") { gate.await() }
            actions.start("two") { gate.await() }

            actions.start("three") { } shouldBe false
            actions.await("one", Duration.ofMillis(1)) shouldBe false
            gate.countDown()
            actions.await("one", minute)
            actions.await("two", minute)

            // The thread of an ended action may need a moment to take the next one.
            until("a thread is free") { actions.start("three") { } }
            actions.await("three", minute) shouldBe true
        }

        test("a failure reaches the one who waits") {
            val actions = autoClose(LongActions())
            actions.start("one") { error("no such table") }

            shouldThrow<IllegalStateException> { actions.await("one", minute) }.message shouldBe "no such table"
            actions.isRunning("one") shouldBe false
        }

        test("closing interrupts what is running and waits for its end") {
            val actions = LongActions()
            val begun = CountDownLatch(1)
            actions.start("one") {
                begun.countDown()
                CountDownLatch(1).await()
            }
            begun.await()

            actions.close()

            shouldThrow<InterruptedException> { actions.await("one", minute) }
            actions.start("two") { } shouldBe false
        }
    })

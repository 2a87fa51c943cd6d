package io.runledger.coroutines.fleet

import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.collections.shouldBeEmpty
import io.kotest.matchers.collections.shouldContainExactly
import io.kotest.matchers.shouldBe
import io.runledger.coroutines.WorkerObserver
import io.runledger.coroutines.attempt.RunningJobs
import io.runledger.coroutines.claim.ClaimGate
import io.runledger.coroutines.claim.Slots
import io.runledger.coroutines.loop.ScriptedStore
import io.runledger.coroutines.loop.Ticker
import io.runledger.coroutines.loop.away
import io.runledger.coroutines.port.Hint
import io.runledger.coroutines.until
import io.runledger.coroutines.watch.LedgerHealth
import io.runledger.coroutines.watch.Observers
import io.runledger.model.error.ErrorCode
import io.runledger.model.error.RunledgerException
import io.runledger.model.error.SchemaException
import io.runledger.model.fleet.BeatAnswer
import io.runledger.model.fleet.WorkerCard
import io.runledger.model.fleet.WorkerOrder
import io.runledger.model.fleet.WorkerOrderKind
import io.runledger.model.fleet.WorkerState
import kotlinx.coroutines.Dispatchers
import kotlinx.coroutines.ExperimentalCoroutinesApi
import kotlinx.coroutines.awaitCancellation
import kotlinx.coroutines.test.TestScope
import kotlinx.coroutines.test.advanceTimeBy
import kotlinx.coroutines.test.runCurrent
import kotlinx.coroutines.test.runTest
import kotlinx.coroutines.withContext
import java.time.Instant
import java.util.UUID
import java.util.concurrent.CopyOnWriteArrayList
import kotlin.time.Duration
import kotlin.time.Duration.Companion.seconds
import kotlin.time.toJavaDuration

private val interval = 30.seconds
private val drain = BeatAnswer(true, null)
private val work = BeatAnswer(false, null)

@OptIn(ExperimentalCoroutinesApi::class)
class BeatLoopSpec :
    FunSpec({
        class Bench(scope: TestScope) {
            val store = ScriptedStore()
            val slots = Slots(listOf("greet"), 4, emptyMap())
            val opened = mutableListOf<List<String>>()
            val obeyed = mutableListOf<WorkerOrder>()
            val unavailable = CopyOnWriteArrayList<ErrorCode>()
            private val observer = object : WorkerObserver {
                override fun unavailable(failure: RunledgerException) {
                    unavailable += failure.code()
                }
            }
            private val health =
                LedgerHealth("w1", Observers(listOf(observer), scope.backgroundScope), clock = scope.testScheduler.timeSource)
            private val ticker = Ticker("beat", health)
            val gate = ClaimGate(isOpen = false, onOpen = { opened += store.asked.toList() }, onShut = ticker::wake)
            private val card = WorkerCard(
                UUID.randomUUID(), "w1", setOf("eu"), listOf("greet"), 4, "1", null, "host", 1, interval.toJavaDuration(),
            )
            val loop: BeatLoop = BeatLoop(card, 5.seconds, store, slots, RunningJobs(), gate, ticker) { obeyed += it }

            fun answers(vararg answers: BeatAnswer) {
                val left = ArrayDeque(answers.toList())
                store.onBeat = { if (left.size > 1) left.removeFirst() else left.first() }
            }

            /** Beats until the loop wants to rest. */
            suspend fun settle() {
                while (loop.runOnce() == Duration.ZERO) continue
            }
        }

        test("a worker comes, looks for orders, and only then may claim") {
            runTest {
                val bench = Bench(this)

                bench.loop.runOnce() shouldBe interval

                bench.store.asked shouldContainExactly listOf("enter", "beat WORKING 0")
                bench.opened shouldContainExactly listOf(listOf("enter", "beat WORKING 0"))
            }
        }

        test("one that comes while an order stands claims nothing, and says that it is drained") {
            runTest {
                val bench = Bench(this).apply { answers(drain) }

                bench.settle()

                bench.store.asked shouldContainExactly listOf("enter", "beat WORKING 0", "beat DRAINED 0")
                bench.opened.shouldBeEmpty()
            }
        }

        test("it says that it drains when the claim under way has passed, and that it is drained when the last job ended") {
            runTest {
                val bench = Bench(this).apply { answers(work) }
                bench.loop.start(backgroundScope)
                runCurrent()
                bench.gate.pass() shouldBe true
                bench.answers(drain)

                bench.loop.onHint(Hint.Ordered)
                runCurrent()
                bench.store.asked.last() shouldBe "beat WORKING 0"
                bench.slots.take("greet")
                bench.gate.passed()
                runCurrent()
                bench.store.asked.last() shouldBe "beat DRAINING 1"
                bench.slots.release("greet")
                bench.loop.onFreeSlot()
                runCurrent()

                bench.store.asked.last() shouldBe "beat DRAINED 0"
                bench.gate.pass() shouldBe false
            }
        }

        test("after an order is lifted it says that it works, and looks once more before it claims") {
            runTest {
                val bench = Bench(this).apply { answers(drain, drain, work) }
                bench.settle()
                bench.store.asked.clear()

                bench.settle()

                bench.opened shouldContainExactly listOf(listOf("beat DRAINED 0", "beat WORKING 0", "beat WORKING 0"))
            }
        }

        test("an order that came between saying that it works and looking again still holds it") {
            runTest {
                val bench = Bench(this).apply { answers(drain, drain, work, work, drain) }
                bench.settle()

                bench.settle()

                bench.opened.shouldBeEmpty()
                bench.store.asked.last() shouldBe "beat DRAINED 0"
            }
        }

        test("a worker without rights works, says so, and asks again with its next beat") {
            runTest {
                val bench = Bench(this)
                bench.store.onEnter = { throw SchemaException(ErrorCode.PERMISSION_DENIED, "No right.") }
                bench.loop.start(backgroundScope)
                runCurrent()

                bench.gate.isOpen shouldBe true
                advanceTimeBy(interval - 1.seconds)
                bench.store.asked shouldContainExactly listOf("enter")
                // Observers run on their own threads in real time. The virtual time of the loop continues meanwhile.
                withContext(Dispatchers.Default) { until("it says so") { bench.unavailable.isNotEmpty() } }
                bench.unavailable shouldContainExactly listOf(ErrorCode.PERMISSION_DENIED)
            }
        }

        test("while the database is away it does not know what it is told, and claims when it does") {
            runTest {
                val bench = Bench(this)
                bench.store.onEnter = { away() }
                bench.loop.start(backgroundScope)
                advanceTimeBy(10.seconds)
                bench.gate.isOpen shouldBe false

                bench.store.onEnter = {}
                advanceTimeBy(6.seconds)

                bench.gate.isOpen shouldBe true
            }
        }

        test("a beat that gets no answer does not keep a worker from working, nor one that drains from draining") {
            runTest {
                val (fresh, drained) = List(2) { Bench(this) }
                drained.answers(drain)
                drained.settle()
                listOf(fresh, drained).forEach { bench ->
                    bench.store.onBeat = { awaitCancellation() }
                    bench.loop.start(backgroundScope)
                }

                advanceTimeBy(6.seconds)

                fresh.gate.isOpen shouldBe true
                drained.gate.isOpen shouldBe false
            }
        }

        test("one that was taken off the list puts itself on it again, and says since when it runs") {
            runTest {
                val bench = Bench(this)
                bench.settle()
                var isOnList = false
                bench.store.onEnter = { isOnList = true }
                bench.store.onBeat = { work.takeIf { isOnList } }
                bench.store.asked.clear()

                bench.settle()

                bench.store.asked shouldContainExactly listOf("beat WORKING 0", "enter since ${Instant.EPOCH}", "beat WORKING 0")
            }
        }

        test("an order to stop is handed on, and the worker says that it stops until it leaves") {
            runTest {
                val order = WorkerOrder(UUID.randomUUID(), WorkerOrderKind.STOP, null, "Old.", "ops", Instant.EPOCH, null, null)
                val bench = Bench(this).apply { answers(BeatAnswer(false, order)) }
                bench.loop.start(backgroundScope)
                runCurrent()
                bench.obeyed shouldContainExactly listOf(order)

                bench.loop.stop()
                advanceTimeBy(interval + 1.seconds)
                bench.loop.leave(1.seconds)
                advanceTimeBy(interval * 3)

                bench.store.asked.drop(2) shouldContainExactly listOf("beat STOPPING 0", "beat STOPPING 0", "leave")
            }
        }

        test("a pool that was closed before the worker keeps it from nothing when it leaves") {
            runTest {
                val bench = Bench(this)
                bench.store.onLeave = { error("The pool is closed.") }
                bench.loop.start(backgroundScope)
                runCurrent()

                bench.loop.leave(1.seconds)

                bench.store.asked.last() shouldBe "leave"
            }
        }
    })

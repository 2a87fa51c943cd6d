package io.runledger.coroutines.hook

import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.collections.shouldBeEmpty
import io.kotest.matchers.collections.shouldContainExactly
import io.kotest.matchers.shouldBe
import io.runledger.coroutines.loop.ScriptedStore
import io.runledger.coroutines.loop.away
import io.runledger.coroutines.loop.greet
import io.runledger.coroutines.loop.ticker
import io.runledger.model.failure.AttemptOutcome
import io.runledger.model.job.DeadLetter
import io.runledger.model.job.DeadLetterReason
import io.runledger.model.json.Json
import io.runledger.model.lease.DeadLetterDelivery
import io.runledger.model.value.UuidV7
import kotlinx.coroutines.ExperimentalCoroutinesApi
import kotlinx.coroutines.NonCancellable
import kotlinx.coroutines.SupervisorJob
import kotlinx.coroutines.awaitCancellation
import kotlinx.coroutines.launch
import kotlinx.coroutines.plus
import kotlinx.coroutines.test.TestScope
import kotlinx.coroutines.test.advanceTimeBy
import kotlinx.coroutines.test.runCurrent
import kotlinx.coroutines.test.runTest
import kotlinx.coroutines.withContext
import java.time.Instant
import kotlin.time.Duration
import kotlin.time.Duration.Companion.hours
import kotlin.time.Duration.Companion.seconds
import java.time.Duration as JavaDuration

@OptIn(ExperimentalCoroutinesApi::class)
class HookLoopSpec :
    FunSpec({
        fun delivery(tries: Int = 1) = DeadLetterDelivery(
            "pager",
            tries,
            DeadLetter(
                UuidV7.next(), 1, 1, "greet", null, AttemptOutcome.TERMINAL, DeadLetterReason.FAILURE_KIND_NON_RETRYABLE, "code",
                "message", Json.EMPTY_OBJECT, null, emptyMap(), Instant.EPOCH, Instant.EPOCH,
            ),
        )

        class Bench(scope: TestScope, deliver: suspend (DeadLetter) -> Unit) {
            val store = ScriptedStore()
            val waiting = ArrayDeque<DeadLetterDelivery>()
            val loop = HookLoop(
                Hook("pager", listOf("greet"), deliver),
                30.seconds,
                10.seconds,
                5.seconds,
                store,
                scope.backgroundScope + SupervisorJob(scope.backgroundScope.coroutineContext[kotlinx.coroutines.Job]),
                scope.testScheduler.timeSource,
                scope.ticker(),
            )

            init {
                store.onTakeLetters = { limit -> generateSequence { waiting.removeFirstOrNull() }.take(limit).toList() }
            }
        }

        test("a letter that arrives is delivered, and the loop rests") {
            runTest {
                val heard = mutableListOf<DeadLetter>()
                val bench = Bench(this) { heard += it }
                val letter = delivery().also(bench.waiting::add)

                bench.loop.runOnce() shouldBe 30.seconds

                heard shouldContainExactly listOf(letter.letter())
                bench.store.asked shouldContainExactly listOf("register pager [greet]", "take letters", "delivered")
            }
        }

        test("a delivery that another session holds is said again soon, and the hook is not called again") {
            runTest {
                var calls = 0
                val bench = Bench(this) { calls++ }
                val (held, free) = List(2) { delivery().also(bench.waiting::add) }
                bench.store.isHeldLetter = { it == held }

                bench.loop.runOnce() shouldBe 1.seconds
                bench.store.isHeldLetter = { false }
                bench.loop.runOnce() shouldBe 30.seconds

                bench.store.delivered shouldContainExactly listOf(free, held)
                calls shouldBe 2
            }
        }

        test("full batches follow each other at once") {
            runTest {
                val bench = Bench(this) { }
                repeat(20) { bench.waiting += delivery() }

                bench.loop.runOnce() shouldBe Duration.ZERO
                bench.loop.runOnce() shouldBe 30.seconds

                bench.store.delivered.size shouldBe 20
            }
        }

        test("a hook that throws is tried again ever later; its neighbours arrive") {
            runTest {
                val bad = listOf(1, 2, 5, 40).map(::delivery)
                val bench = Bench(this) { letter -> if (bad.any { it.letter() == letter }) error("not now") }
                val good = delivery()
                bench.waiting += bad + good

                bench.loop.runOnce() shouldBe 1.seconds

                bench.store.delivered shouldContainExactly listOf(good)
                bench.store.postponed.map { it.toSeconds() } shouldContainExactly listOf(1, 2, 16, 900)
            }
        }

        test("a hook that takes too long is stopped and tried again, also one that will not stop") {
            runTest {
                val isAsked = mutableListOf<String>()
                val bench = Bench(this) {
                    try {
                        awaitCancellation()
                    } finally {
                        isAsked += "stopped"
                        withContext(NonCancellable) { kotlinx.coroutines.delay(1.hours) }
                    }
                }
                bench.waiting += delivery()
                val start = testScheduler.timeSource.markNow()

                bench.loop.runOnce()

                start.elapsedNow() shouldBe 15.seconds
                isAsked shouldContainExactly listOf("stopped")
                bench.store.postponed shouldContainExactly listOf(JavaDuration.ofSeconds(1))
            }
        }

        test("what is under way when the worker ends is stopped and given back for others, at once") {
            runTest {
                val bench = Bench(this) { awaitCancellation() }
                bench.waiting += delivery()
                val run = backgroundScope.launch { bench.loop.run() }
                runCurrent()

                run.cancel()
                runCurrent()
                run.isCompleted shouldBe false
                bench.loop.stop()
                runCurrent()

                run.isCompleted shouldBe true
                bench.store.postponed shouldContainExactly listOf(JavaDuration.ZERO)
            }
        }

        test("a letter that arrives although the worker ends is not handed over again") {
            runTest {
                val bench = Bench(this) { withContext(NonCancellable) { kotlinx.coroutines.delay(1.seconds) } }
                val letter = delivery().also(bench.waiting::add)
                val run = backgroundScope.launch { bench.loop.run() }
                runCurrent()

                run.cancel()
                bench.loop.stop()
                run.join()

                bench.store.delivered shouldContainExactly listOf(letter)
                bench.store.postponed.shouldBeEmpty()
            }
        }

        test("a worker that ends takes no further batch") {
            runTest {
                val bench = Bench(this) { awaitCancellation() }
                repeat(40) { bench.waiting += delivery() }
                val run = backgroundScope.launch { bench.loop.run() }
                runCurrent()

                run.cancel()
                bench.loop.stop()
                runCurrent()

                bench.waiting.size shouldBe 24
            }
        }

        test("a delivery that could not be noted is noted later, without calling the hook again") {
            runTest {
                var calls = 0
                val bench = Bench(this) { calls++ }
                val letter = delivery().also(bench.waiting::add)
                var isAway = true
                bench.store.onLettersDelivered = { if (isAway) away() }
                backgroundScope.launch { bench.loop.run() }
                runCurrent()
                bench.store.delivered.shouldBeEmpty()

                isAway = false
                advanceTimeBy(1.seconds)

                bench.store.delivered shouldContainExactly listOf(letter)
                calls shouldBe 1
            }
        }

        test("a dead letter of this process is handed over without waiting for the next look; those of other types wake nobody") {
            runTest {
                val bench = Bench(this) { }
                backgroundScope.launch { bench.loop.run() }
                runCurrent()
                bench.waiting += delivery()

                bench.loop.onDeadLetter("other")
                runCurrent()
                bench.store.delivered.shouldBeEmpty()
                bench.loop.onDeadLetter("greet")
                runCurrent()

                bench.store.delivered.size shouldBe 1
            }
        }

        test("the hook registers when it starts and now and then, not with every look") {
            runTest {
                val bench = Bench(this) { }
                backgroundScope.launch { bench.loop.run() }

                advanceTimeBy(24.hours)

                bench.store.asked.count { it.startsWith("register") } shouldBe 4
            }
        }
    })

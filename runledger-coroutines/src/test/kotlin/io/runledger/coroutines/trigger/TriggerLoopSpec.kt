package io.runledger.coroutines.trigger

import io.kotest.assertions.throwables.shouldThrow
import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.collections.shouldContainExactly
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import io.kotest.matchers.string.shouldStartWith
import io.runledger.coroutines.loop.ScriptedStore
import io.runledger.coroutines.loop.ticker
import io.runledger.coroutines.watch.Observers
import io.runledger.model.error.ErrorCode
import io.runledger.model.error.LeaseLostException
import io.runledger.model.error.UnavailableException
import io.runledger.model.schedule.PollResult
import io.runledger.model.schedule.TakenPoll
import kotlinx.coroutines.ExperimentalCoroutinesApi
import kotlinx.coroutines.NonCancellable
import kotlinx.coroutines.SupervisorJob
import kotlinx.coroutines.async
import kotlinx.coroutines.awaitCancellation
import kotlinx.coroutines.delay
import kotlinx.coroutines.launch
import kotlinx.coroutines.plus
import kotlinx.coroutines.test.TestScope
import kotlinx.coroutines.test.currentTime
import kotlinx.coroutines.test.runCurrent
import kotlinx.coroutines.test.runTest
import kotlinx.coroutines.withContext
import java.time.Instant
import java.util.UUID
import kotlin.time.Duration
import kotlin.time.Duration.Companion.milliseconds
import kotlin.time.Duration.Companion.minutes
import kotlin.time.Duration.Companion.seconds
import java.time.Duration as JavaDuration

@OptIn(ExperimentalCoroutinesApi::class)
class TriggerLoopSpec :
    FunSpec({
        val taken = TakenPoll(UUID(0, 1), "files", UUID(0, 2), Instant.EPOCH)

        fun held(): Nothing = throw UnavailableException(ErrorCode.DB_LOCK_TIMEOUT, "Another session holds the trigger.")

        class Bench(scope: TestScope, poll: suspend (TakenPoll) -> PollResult) {
            val store = ScriptedStore().apply { onTakePoll = { taken } }
            val loop = TriggerLoop(
                Trigger("files", JavaDuration.ofSeconds(10), poll),
                30.seconds,
                10.seconds,
                5.seconds,
                store,
                Observers(emptyList(), scope.backgroundScope),
                scope.backgroundScope + SupervisorJob(scope.backgroundScope.coroutineContext[kotlinx.coroutines.Job]),
                scope.testScheduler.timeSource,
                scope.ticker(),
            )

            /** The calls after the poll was taken. */
            val ending get() = store.asked.last()
        }

        test("a due poll is taken, called and settled, and the loop looks again at once; it is registered once") {
            runTest {
                val bench = Bench(this) { PollResult.skip() }

                repeat(2) { bench.loop.runOnce() shouldBe Duration.ZERO }

                val pass = listOf("until poll", "take poll", "settle poll")
                bench.store.asked shouldContainExactly listOf("register trigger files") + pass + pass
            }
        }

        test("what a poll found is written again and again while another session holds the trigger, and is not asked for again") {
            runTest {
                var calls = 0
                val bench = Bench(this) { PollResult.skip().also { calls++ } }
                var refusals = 3
                bench.store.onSettlePoll = { if (refusals-- > 0) held() else emptyList() }

                bench.loop.runOnce() shouldBe Duration.ZERO

                calls shouldBe 1
                currentTime shouldBe 600
            }
        }

        test("once the poll may be another worker's, a trigger that is held is left alone") {
            runTest {
                val bench = Bench(this) { PollResult.skip() }
                bench.store.onSettlePoll = { held() }

                shouldThrow<UnavailableException> { bench.loop.runOnce() }

                currentTime shouldBe 17_000
            }
        }

        test("when the worker ends, a trigger that is held is left alone") {
            runTest {
                val bench = Bench(this) { PollResult.skip() }
                bench.store.onSettlePoll = { held() }

                val pass = async { shouldThrow<UnavailableException> { bench.loop.runOnce() } }
                delay(1.seconds + 100.milliseconds)
                bench.loop.stop()
                pass.await()

                currentTime shouldBe 1_200
            }
        }

        test("a poll that another worker has is not called") {
            runTest {
                val bench = Bench(this) { error("not mine") }
                bench.store.onTakePoll = { null }

                bench.loop.runOnce() shouldBe 200.milliseconds
            }
        }

        test("a function that throws fails its poll, and the loop goes on") {
            runTest {
                val bench = Bench(this) { error("The disk is gone.") }

                bench.loop.runOnce() shouldBe Duration.ZERO

                bench.ending shouldBe "fail poll: java.lang.IllegalStateException: The disk is gone."
            }
        }

        test("a function that takes too long is stopped and fails its poll, also when it does not listen") {
            runTest {
                val patient = Bench(this) { awaitCancellation() }
                patient.loop.runOnce()
                patient.ending shouldContain "did not end within 10s"

                val deaf = Bench(this) {
                    withContext(NonCancellable) { delay(10.minutes) }
                    PollResult.skip()
                }
                deaf.loop.runOnce()
                deaf.ending shouldContain "did not end within 10s"
            }
        }

        test("a poll that was lost meanwhile does not end the loop") {
            runTest {
                val bench = Bench(this) { PollResult.skip() }
                bench.store.onSettlePoll = { throw LeaseLostException(ErrorCode.POLL_LOST, "lost") }

                bench.loop.runOnce() shouldBe Duration.ZERO
            }
        }

        test("when the worker ends, the call is stopped and its poll given back; a cancelled loop does not leave it half-way") {
            runTest {
                val bench = Bench(this) { awaitCancellation() }
                val pass = launch { bench.loop.runOnce() }
                runCurrent()

                pass.cancel()
                bench.loop.stop()
                pass.join()

                bench.ending shouldStartWith "release poll"
            }
        }
    })

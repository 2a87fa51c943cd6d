package io.runledger.coroutines.run

import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.collections.shouldContainExactly
import io.kotest.matchers.shouldBe
import io.kotest.matchers.shouldNotBe
import io.runledger.coroutines.attempt.AttemptCancellation
import io.runledger.coroutines.handlers
import io.runledger.coroutines.loop.ScriptedStore
import io.runledger.coroutines.loop.attempt
import io.runledger.coroutines.loop.away
import io.runledger.coroutines.loop.greet
import io.runledger.coroutines.watch.AttemptReporter
import io.runledger.coroutines.watch.Observers
import io.runledger.coroutines.watch.ReportCounters
import io.runledger.model.failure.FailureKind
import io.runledger.model.failure.JobFailure
import io.runledger.model.handler.Cancellation.Reason
import io.runledger.model.handler.JobOutcome
import kotlinx.coroutines.ExperimentalCoroutinesApi
import kotlinx.coroutines.Job
import kotlinx.coroutines.async
import kotlinx.coroutines.delay
import kotlinx.coroutines.launch
import kotlinx.coroutines.test.TestScope
import kotlinx.coroutines.test.currentTime
import kotlinx.coroutines.test.runTest
import java.time.Duration
import kotlin.time.Duration.Companion.seconds

@OptIn(ExperimentalCoroutinesApi::class)
class OvertimeSpec :
    FunSpec({
        /** An attempt whose handler ignored its timeout and ends after [handlerEndsAfter], with an overtime of ten seconds. */
        class Bench(
            private val scope: TestScope,
            handlerEndsAfter: kotlin.time.Duration,
            overtime: Duration = Duration.ofSeconds(10),
        ) {
            val store = ScriptedStore()
            val attempt = scope.attempt().apply { cancellation.request(Reason.TIMEOUT) }
            val handler: Job = scope.backgroundScope.launch { delay(handlerEndsAfter) }
            private val books = AttemptReporter(Observers(emptyList(), scope.backgroundScope), ReportCounters())
            private val overtime = Overtime(handlers { overtime(greet, overtime) }, store, books, 2.seconds)

            suspend fun await(): EndedHandler {
                attempt.cancellation.stopped = Reason.TIMEOUT
                attempt.cancellation.stuck = handler
                val outcome = overtime.await(attempt, JobOutcome.failed(JobFailure.timeout(Duration.ofSeconds(1))))
                return EndedHandler(outcome, attempt.cancellation)
            }

            /** The result of the attempt if it is stopped for [reason] after three seconds. */
            suspend fun awaitWith(reason: Reason): EndedHandler {
                val result = scope.async { await() }
                delay(3.seconds)
                attempt.cancellation.request(reason) shouldBe false
                return result.await()
            }
        }

        fun EndedHandler.isTimeout() = (outcome as JobOutcome.Failed).failure().kind() shouldBe FailureKind.TIMEOUT

        test("the attempt is a timeout as soon as its handler has ended, whatever that returned") {
            runTest {
                val result = Bench(this, 4.seconds).await()

                currentTime shouldBe 4_000
                result.isTimeout()
                result.stuck shouldBe null
            }
        }

        test("the attempt is a timeout once the overtime is over, and its handler keeps its place") {
            runTest {
                val bench = Bench(this, 60.seconds)

                val result = bench.await()

                currentTime shouldBe 10_000
                result.isTimeout()
                result.stuck shouldBe bench.handler
            }
        }

        test("without overtime nothing is waited for, and the ledger says that the timeout was ignored") {
            runTest {
                val bench = Bench(this, 60.seconds, Duration.ZERO)

                bench.await().isTimeout()

                currentTime shouldBe 0
                bench.store.asked shouldContainExactly listOf("overtime PT0S")
            }
        }

        listOf(Reason.CANCELED, Reason.LEASE_LOST).forEach { reason ->
            test("an attempt that has ended otherwise is not waited for: $reason") {
                runTest {
                    val result = Bench(this, 60.seconds).awaitWith(reason)

                    currentTime shouldBe 3_000
                    result.outcome shouldBe null
                    result.stopped shouldBe reason
                    result.stuck shouldNotBe null
                }
            }
        }

        test("when the worker ends, the handler has the grace that all have, and is then abandoned with its lease") {
            runTest {
                val result = Bench(this, 60.seconds).awaitWith(Reason.SHUTDOWN)

                currentTime shouldBe 5_000
                result.outcome shouldBe null
                result.stopped shouldBe Reason.SHUTDOWN
                result.stuck shouldNotBe null
            }
        }

        test("a handler that ends in that grace is a timeout") {
            runTest {
                val result = Bench(this, 4.seconds).awaitWith(Reason.SHUTDOWN)

                currentTime shouldBe 4_000
                result.isTimeout()
                result.stuck shouldBe null
            }
        }

        test("the ledger is told until it has heard, and that holds nothing up") {
            runTest {
                val bench = Bench(this, 1.seconds)
                var asked = 0
                bench.store.onOvertime = {
                    when (++asked) {
                        1 -> away()
                        2 -> false
                        else -> true
                    }
                }

                bench.await().isTimeout()

                asked shouldBe 3
                currentTime shouldBe 1_000
            }
        }

        test("what else happens to an attempt that was asked to stop for another reason changes nothing") {
            val cancellation = AttemptCancellation()
            cancellation.request(Reason.CANCELED)

            cancellation.request(Reason.SHUTDOWN)

            cancellation.reason().get() shouldBe Reason.CANCELED
            cancellation.afterTimeout.isCompleted shouldBe false
            cancellation.isOver() shouldBe true
        }
    })

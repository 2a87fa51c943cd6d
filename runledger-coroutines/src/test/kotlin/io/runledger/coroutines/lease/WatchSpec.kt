package io.runledger.coroutines.lease

import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.shouldBe
import io.runledger.coroutines.attempt.Attempt
import io.runledger.coroutines.attempt.RunningJobs
import io.runledger.coroutines.loop.attempt
import io.runledger.model.handler.Cancellation.Reason
import kotlinx.coroutines.ExperimentalCoroutinesApi
import kotlinx.coroutines.launch
import kotlinx.coroutines.test.TestScope
import kotlinx.coroutines.test.advanceTimeBy
import kotlinx.coroutines.test.runCurrent
import kotlinx.coroutines.test.runTest
import kotlin.time.Duration
import kotlin.time.Duration.Companion.hours
import kotlin.time.Duration.Companion.milliseconds
import kotlin.time.Duration.Companion.seconds

@OptIn(ExperimentalCoroutinesApi::class)
class WatchSpec :
    FunSpec({
        class Bench(private val scope: TestScope) {
            private val running = RunningJobs()
            val watch = DeadlineWatch(20.seconds, running, scope.testScheduler.timeSource)

            fun begin(timeout: Duration, held: Duration = 1.hours): Attempt = scope.attempt(held = held).also {
                val deadline = scope.testScheduler.timeSource.markNow() + timeout
                it.deadline = deadline
                running.add(it)
                watch.onDeadline(deadline)
            }
        }

        fun Attempt.stopReason(): Reason? = cancellation.reason().orElse(null)

        test("an attempt whose time is up is stopped, and nobody else") {
            runTest {
                val bench = Bench(this)
                val (brief, long) = listOf(30.seconds, 90.seconds).map { bench.begin(timeout = it) }
                backgroundScope.launch { bench.watch.run() }

                advanceTimeBy(29_990.milliseconds)
                brief.stopReason() shouldBe null

                advanceTimeBy(20.milliseconds)
                brief.stopReason() shouldBe Reason.TIMEOUT
                long.stopReason() shouldBe null
            }
        }

        test("one with little time that begins while the watch rests is stopped in time") {
            runTest {
                val bench = Bench(this)
                bench.begin(timeout = 1.hours)
                backgroundScope.launch { bench.watch.run() }
                advanceTimeBy(1.seconds)

                val brief = bench.begin(timeout = 2.seconds)
                advanceTimeBy(2_010.milliseconds)

                brief.stopReason() shouldBe Reason.TIMEOUT
            }
        }

        test("a lease that cannot be proved any more stops an attempt before its time is up") {
            runTest {
                val bench = Bench(this)
                val attempt = bench.begin(timeout = 1.hours, held = 45.seconds)
                backgroundScope.launch { bench.watch.run() }

                advanceTimeBy(45_010.milliseconds)

                attempt.stopReason() shouldBe Reason.LEASE_LOST
            }
        }

        test("one that is being written is left alone") {
            runTest {
                val bench = Bench(this)
                val attempt = bench.begin(timeout = 1.seconds, held = 1.seconds).apply { isSettling = true }

                advanceTimeBy(1.hours)
                bench.watch.runOnce() shouldBe 20.seconds

                attempt.stopReason() shouldBe null
            }
        }

        test("one that goes on although it was stopped does not keep the watch awake") {
            runTest {
                val bench = Bench(this)
                bench.begin(timeout = 1.seconds)

                advanceTimeBy(2.seconds)
                bench.watch.runOnce() shouldBe 20.seconds
                runCurrent()
                bench.watch.runOnce() shouldBe 20.seconds
            }
        }
    })

package io.runledger.coroutines.lease

import io.kotest.assertions.throwables.shouldThrow
import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.collections.shouldBeEmpty
import io.kotest.matchers.collections.shouldContainExactly
import io.kotest.matchers.collections.shouldContainExactlyInAnyOrder
import io.kotest.matchers.collections.shouldHaveSize
import io.kotest.matchers.shouldBe
import io.runledger.coroutines.attempt.Attempt
import io.runledger.coroutines.attempt.RunningJobs
import io.runledger.coroutines.loop.ScriptedStore
import io.runledger.coroutines.loop.attempt
import io.runledger.coroutines.loop.away
import io.runledger.coroutines.loop.ticker
import io.runledger.coroutines.port.Hint
import io.runledger.model.error.UnavailableException
import io.runledger.model.handler.Cancellation.Reason
import io.runledger.model.lease.Renewal
import kotlinx.coroutines.ExperimentalCoroutinesApi
import kotlinx.coroutines.awaitCancellation
import kotlinx.coroutines.delay
import kotlinx.coroutines.launch
import kotlinx.coroutines.test.TestScope
import kotlinx.coroutines.test.advanceTimeBy
import kotlinx.coroutines.test.runCurrent
import kotlinx.coroutines.test.runTest
import java.util.UUID
import kotlin.time.Duration.Companion.minutes
import kotlin.time.Duration.Companion.seconds

@OptIn(ExperimentalCoroutinesApi::class)
class LeaseKeeperSpec :
    FunSpec({
        class Bench(private val scope: TestScope) {
            val store = ScriptedStore()
            val running = RunningJobs()
            val keeper = LeaseKeeper(60.seconds, store, running, scope.testScheduler.timeSource, scope.ticker())
            private val watch = DeadlineWatch(20.seconds, running, scope.testScheduler.timeSource)

            fun run() {
                scope.backgroundScope.launch { keeper.run() }
                scope.backgroundScope.launch { watch.run() }
            }

            fun start(): Attempt = scope.attempt().also(running::add)

            fun Attempt.stopReason(): Reason? = cancellation.reason().orElse(null)
        }

        test("one statement renews all running jobs, three times per lease") {
            runTest {
                val bench = Bench(this)
                val attempts = List(50) { bench.start() }
                bench.run()

                advanceTimeBy(59.seconds)

                bench.store.renewed shouldHaveSize 3
                bench.store.renewed.forEach { it shouldContainExactlyInAnyOrder attempts.map { a -> a.lease } }
                attempts.all { it.isHeld } shouldBe true
            }
        }

        test("a worker without jobs renews nothing") {
            runTest {
                val bench = Bench(this)
                bench.run()

                advanceTimeBy(10.minutes)

                bench.store.asked.shouldBeEmpty()
            }
        }

        test("lost and canceled jobs are stopped at once, with their reasons; the others go on") {
            runTest {
                val bench = Bench(this)
                val (lost, canceled, fine) = List(3) { bench.start() }
                bench.store.onRenew = {
                    when (it) {
                        lost.lease -> Renewal.Answer.LOST
                        canceled.lease -> Renewal.Answer.CANCELED
                        else -> Renewal.Answer.RENEWED
                    }
                }

                bench.keeper.runOnce()

                with(bench) {
                    lost.stopReason() shouldBe Reason.LEASE_LOST
                    canceled.stopReason() shouldBe Reason.CANCELED
                    fine.stopReason() shouldBe null
                }
            }
        }

        test("failures are survived while the lease is provably held, and no longer") {
            runTest {
                val bench = Bench(this)
                val attempt = bench.start()
                bench.store.onRenew = { away() }
                bench.run()

                advanceTimeBy(59_990)
                with(bench) { attempt.stopReason() shouldBe null }

                advanceTimeBy(20)
                with(bench) { attempt.stopReason() shouldBe Reason.LEASE_LOST }
            }
        }

        test("a database that comes back in time costs no job") {
            runTest {
                val bench = Bench(this)
                val attempt = bench.start()
                bench.store.onRenew = { away() }
                bench.run()
                advanceTimeBy(50.seconds)

                bench.store.onRenew = { Renewal.Answer.RENEWED }
                advanceTimeBy(10.minutes)

                with(bench) { attempt.stopReason() shouldBe null }
                attempt.isHeld shouldBe true
            }
        }

        test("a call that never answers does not keep a lost job running") {
            runTest {
                val bench = Bench(this)
                val attempt = bench.start()
                bench.store.onRenew = { awaitCancellation() }
                bench.run()

                advanceTimeBy(60_010)

                with(bench) { attempt.stopReason() shouldBe Reason.LEASE_LOST }
            }
        }

        test("a renewal that takes long counts from when it was sent") {
            runTest {
                val bench = Bench(this)
                val attempt = bench.start()
                val sent = testScheduler.timeSource.markNow()
                bench.store.onRenew = {
                    delay(30.seconds)
                    Renewal.Answer.RENEWED
                }

                bench.keeper.runOnce()

                attempt.heldUntil shouldBe sent + 60.seconds
            }
        }

        test("a hint about a job it runs asks about that job alone, at once; hints about others ask nothing") {
            runTest {
                val bench = Bench(this)
                val (called, other) = List(2) { bench.start() }
                bench.run()
                advanceTimeBy(1.seconds)
                bench.store.renewed.clear()
                bench.store.onRenew = { Renewal.Answer.CANCELED }

                bench.keeper.onHint(Hint.Canceled(UUID.randomUUID()))
                runCurrent()
                bench.store.renewed.shouldBeEmpty()

                bench.keeper.onHint(Hint.Canceled(called.lease.jobId()))
                runCurrent()
                bench.store.renewed shouldContainExactly listOf(listOf(called.lease))
                with(bench) {
                    called.stopReason() shouldBe Reason.CANCELED
                    other.stopReason() shouldBe null
                }
            }
        }

        test("hints that may have been missed are made up for by asking about every job") {
            runTest {
                val bench = Bench(this)
                repeat(3) { bench.start() }
                bench.run()
                advanceTimeBy(1.seconds)
                bench.store.renewed.clear()

                bench.keeper.onHint(Hint.Missed)
                runCurrent()

                bench.store.renewed.single() shouldHaveSize 3
            }
        }

        test("a job whose row somebody holds goes on, is asked about again soon, and alone") {
            runTest {
                val bench = Bench(this)
                val (busy, other) = List(2) { bench.start() }
                bench.store.onRenew = { if (it == busy.lease) Renewal.Answer.BUSY else Renewal.Answer.RENEWED }
                bench.run()

                advanceTimeBy(3.seconds)
                bench.store.renewed.map { it.toSet() } shouldContainExactly
                    listOf(setOf(busy.lease, other.lease), setOf(busy.lease))
                bench.store.onRenew = { Renewal.Answer.RENEWED }
                advanceTimeBy(10.minutes)

                with(bench) { busy.stopReason() shouldBe null }
                busy.isHeld shouldBe true
            }
        }

        test("a job whose row somebody holds past the end of its lease is stopped") {
            runTest {
                val bench = Bench(this)
                val attempt = bench.start()
                bench.store.onRenew = { Renewal.Answer.BUSY }
                bench.run()

                advanceTimeBy(59_990)
                with(bench) { attempt.stopReason() shouldBe null }

                advanceTimeBy(20)
                with(bench) { attempt.stopReason() shouldBe Reason.LEASE_LOST }
            }
        }

        test("a job whose row the handler's own transaction holds is not stopped, however long it takes, nor when it has ended") {
            runTest {
                val bench = Bench(this)
                val attempt = bench.start().apply { isSettledByHandler = true }
                bench.store.onRenew = { Renewal.Answer.BUSY }
                bench.run()

                advanceTimeBy(2.minutes)
                attempt.heldUntil = testScheduler.timeSource.markNow() + 60.seconds
                bench.store.onRenew = { Renewal.Answer.LOST }
                advanceTimeBy(30.seconds)

                with(bench) { attempt.stopReason() shouldBe null }
            }
        }

        test("not holding the lease is no news while the ending is being written") {
            runTest {
                val bench = Bench(this)
                val attempt = bench.start().apply { isSettling = true }
                bench.store.onRenew = { Renewal.Answer.LOST }

                bench.keeper.runOnce()

                with(bench) { attempt.stopReason() shouldBe null }
            }
        }

        test("a failed pass says so to its ticker") {
            runTest {
                val bench = Bench(this)
                bench.start()
                bench.store.onRenew = { away() }

                shouldThrow<UnavailableException> { bench.keeper.runOnce() }
            }
        }
    })

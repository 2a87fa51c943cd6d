package io.runledger.coroutines.claim

import io.kotest.assertions.throwables.shouldThrow
import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.collections.shouldBeEmpty
import io.kotest.matchers.collections.shouldContainExactly
import io.kotest.matchers.collections.shouldHaveSize
import io.kotest.matchers.comparables.shouldBeGreaterThan
import io.kotest.matchers.comparables.shouldBeLessThanOrEqualTo
import io.kotest.matchers.shouldBe
import io.runledger.coroutines.WorkerConfig
import io.runledger.coroutines.loop.ScriptedStore
import io.runledger.coroutines.loop.claimedJob
import io.runledger.coroutines.loop.ticker
import io.runledger.coroutines.port.Hint
import io.runledger.model.error.UnavailableException
import io.runledger.model.lease.ClaimedJob
import io.runledger.model.lease.SettledJob
import io.runledger.model.value.UuidV7
import kotlinx.coroutines.ExperimentalCoroutinesApi
import kotlinx.coroutines.launch
import kotlinx.coroutines.test.TestScope
import kotlinx.coroutines.test.advanceTimeBy
import kotlinx.coroutines.test.currentTime
import kotlinx.coroutines.test.runCurrent
import kotlinx.coroutines.test.runTest
import kotlin.time.ComparableTimeMark
import kotlin.time.Duration
import kotlin.time.Duration.Companion.milliseconds
import kotlin.time.Duration.Companion.minutes
import kotlin.time.Duration.Companion.seconds
import java.time.Duration as JavaDuration

@OptIn(ExperimentalCoroutinesApi::class)
class ClaimLoopSpec :
    FunSpec({
        class Bench(scope: TestScope, settings: WorkerConfig.Builder.() -> Unit = {}) {
            val store = ScriptedStore()
            val config: WorkerConfig = WorkerConfig.builder().workerId("w1").apply(settings).build()
            val slots = Slots(listOf("greet", "other"), config.maxConcurrency, config.typeLimits)
            val started = mutableListOf<Pair<ClaimedJob, ComparableTimeMark>>()
            private val wakeup by lazy { ClaimWakeup(config, scope.ticker()) }
            val loop by lazy {
                ClaimLoop(
                    config,
                    listOf("greet", "other"),
                    store,
                    slots,
                    scope.testScheduler.timeSource,
                    wakeup,
                    store,
                    patience = 20.seconds,
                ) { jobs, sentAt, _ ->
                    jobs.forEach {
                        slots.take(it.jobType())
                        started += it to sentAt
                    }
                }
            }

            fun free(type: String = "greet") {
                slots.release(type)
                wakeup.onFreeSlot()
            }
        }

        test("a claim asks for no more than there are free places, and for no more than a batch") {
            runTest {
                val bench = Bench(this) { maxConcurrency(5).claimBatchSize(3) }
                repeat(9) { bench.store.queue += claimedJob() }

                bench.loop.runOnce() shouldBe Duration.ZERO
                bench.loop.runOnce() shouldBe Duration.ZERO
                bench.loop.runOnce() shouldBe Duration.INFINITE

                bench.store.claims.map { it.limit() } shouldContainExactly listOf(3, 2)
                bench.started shouldHaveSize 5
            }
        }

        test("a type's own limit is part of the claim, and a full type is not asked for") {
            runTest {
                val bench = Bench(this) { maxConcurrency(10).typeLimit("greet", 2) }
                repeat(2) { bench.store.queue += claimedJob() }

                bench.loop.runOnce()
                bench.loop.runOnce()

                bench.store.claims[0].typeLimits() shouldBe mapOf("greet" to 2)
                bench.store.claims[1].jobTypes() shouldContainExactly listOf("other")
            }
        }

        test("an idle loop asks ever more rarely, a handful of times per minute") {
            runTest {
                val bench = Bench(this)
                backgroundScope.launch { bench.loop.run() }

                advanceTimeBy(5.minutes)
                bench.store.asked.clear()
                advanceTimeBy(10.minutes)

                bench.store.asked shouldContainExactly List(20) { "until due" }
            }
        }

        test("without hints it looks every few seconds") {
            runTest {
                val bench = Bench(this).apply { store.hasHints = false }
                backgroundScope.launch { bench.loop.run() }

                advanceTimeBy(5.minutes)
                bench.store.asked.clear()
                advanceTimeBy(10.minutes)

                bench.store.asked shouldContainExactly List(120) { "until due" }
            }
        }

        test("when a look among many shows that something is due, it is claimed at once") {
            runTest {
                val bench = Bench(this)
                backgroundScope.launch { bench.loop.run() }
                advanceTimeBy(5.minutes)
                bench.store.asked.clear()

                bench.store.untilDue = JavaDuration.ZERO
                bench.store.queue += claimedJob()
                advanceTimeBy(30.seconds)

                bench.store.asked.take(2) shouldContainExactly listOf("until due", "claim")
                bench.started shouldHaveSize 1
            }
        }

        test("a hint about a type it runs wakes it, hints about others do not") {
            runTest {
                val bench = Bench(this)
                backgroundScope.launch { bench.loop.run() }
                advanceTimeBy(5.minutes)
                bench.store.asked.clear()

                bench.loop.onHint(Hint.Due("foreign"))
                bench.loop.onHint(Hint.Canceled(UuidV7.next()))
                runCurrent()
                bench.store.asked.shouldBeEmpty()

                bench.loop.onHint(Hint.Due("greet"))
                runCurrent()
                bench.store.asked shouldContainExactly listOf("claim")
            }
        }

        test("many hints during one pass make one further pass") {
            runTest {
                val bench = Bench(this)
                backgroundScope.launch { bench.loop.run() }
                advanceTimeBy(5.minutes)
                bench.store.asked.clear()

                repeat(100) { bench.loop.onHint(Hint.Due("greet")) }
                runCurrent()

                bench.store.asked.count { it == "claim" } shouldBe 1
            }
        }

        test("it wakes when the next job is due, not a poll later") {
            runTest {
                val bench = Bench(this)
                backgroundScope.launch { bench.loop.run() }
                advanceTimeBy(5.minutes)
                bench.store.untilDue = JavaDuration.ofMillis(1_234)
                bench.loop.onHint(Hint.Missed)
                advanceTimeBy(2.seconds)
                bench.store.asked.clear()
                val before = currentTime
                bench.store.queue += claimedJob()

                while (bench.started.isEmpty()) advanceTimeBy(1.milliseconds)

                (currentTime - before) shouldBeLessThanOrEqualTo 1_236
            }
        }

        test("a freed place wakes it only when the lack of one kept it from claiming") {
            runTest {
                val bench = Bench(this) { maxConcurrency(2) }
                repeat(2) { bench.store.queue += claimedJob() }
                backgroundScope.launch { bench.loop.run() }
                advanceTimeBy(10.minutes)
                bench.store.asked.clear()

                bench.free()
                runCurrent()
                bench.store.asked shouldContainExactly listOf("claim")

                bench.store.asked.clear()
                bench.free()
                runCurrent()
                bench.store.asked.shouldBeEmpty()
            }
        }

        test("what was due and not claimed is tried once more at once, then a poll interval later") {
            runTest {
                val bench = Bench(this) { pollInterval(JavaDuration.ofSeconds(3)) }
                bench.store.untilDue = JavaDuration.ZERO

                bench.loop.runOnce() shouldBe Duration.ZERO
                bench.loop.runOnce() shouldBe 3.seconds
                bench.loop.runOnce() shouldBe Duration.ZERO
            }
        }

        test("the jobs of a claim that was not confirmed are not begun, and are given back before anything else is claimed") {
            runTest {
                val bench = Bench(this)
                val doubtful = listOf(claimedJob().lease(), claimedJob().lease())
                bench.store.unconfirmed += doubtful

                shouldThrow<UnavailableException> { bench.loop.runOnce() }
                bench.loop.runOnce()
                bench.loop.runOnce()

                bench.started.shouldBeEmpty()
                bench.store.asked.filter { it != "until due" } shouldContainExactly listOf("claim", "release", "claim", "claim")
                bench.store.released shouldContainExactly listOf(doubtful)
            }
        }

        test("a claim of which nothing is leased is asked about again, ever more rarely, for as long as its lease") {
            runTest {
                val bench = Bench(this) { lease(JavaDuration.ofSeconds(30)) }
                bench.store.unconfirmed += listOf(claimedJob().lease())
                bench.store.onRelease = { SettledJob.Result.LOST }
                backgroundScope.launch { bench.loop.run() }

                advanceTimeBy(1.seconds)
                val soon = bench.store.released.size
                advanceTimeBy(10.minutes)

                soon shouldBeGreaterThan 2
                bench.store.released.size shouldBeLessThanOrEqualTo 15
                bench.store.released.clear()
                advanceTimeBy(10.minutes)
                bench.store.released.shouldBeEmpty()
            }
        }

        test("what is held while a claim in doubt is given back is given back later, and nothing else of it again") {
            runTest {
                val bench = Bench(this)
                val (held, free) = List(2) { claimedJob().lease() }
                var isHeld = true
                bench.store.unconfirmed += listOf(held, free)
                bench.store.onRelease = { lease ->
                    if (lease == held && isHeld) SettledJob.Result.BUSY else SettledJob.Result.RELEASED
                }

                shouldThrow<UnavailableException> { bench.loop.runOnce() }
                bench.loop.runOnce()
                isHeld = false
                advanceTimeBy(1.minutes)
                bench.loop.runOnce()
                bench.loop.runOnce()

                bench.store.released shouldContainExactly listOf(listOf(held, free), listOf(held))
            }
        }

        test("a worker that ends gives back first what a claim left in doubt") {
            runTest {
                val bench = Bench(this)
                val doubtful = listOf(claimedJob().lease())
                bench.store.unconfirmed += doubtful
                val loop = backgroundScope.launch { bench.loop.run() }
                runCurrent()

                loop.cancel()
                runCurrent()

                bench.store.released shouldContainExactly listOf(doubtful)
            }
        }

        test("the lease counts from before the claim was sent") {
            runTest {
                val bench = Bench(this)
                bench.store.queue += claimedJob()
                val before = testScheduler.timeSource.markNow()

                bench.loop.runOnce()

                bench.started.single().second shouldBe before
            }
        }
    })

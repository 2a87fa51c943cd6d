package io.runledger.coroutines.claim

import io.kotest.assertions.withClue
import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.collections.shouldContainExactly
import io.kotest.matchers.collections.shouldHaveSize
import io.kotest.matchers.shouldBe
import io.runledger.coroutines.WorkerConfig
import io.runledger.coroutines.loop.ScriptedStore
import io.runledger.coroutines.loop.away
import io.runledger.coroutines.loop.claimedJob
import io.runledger.coroutines.loop.done
import io.runledger.coroutines.loop.ticker
import io.runledger.model.lease.ClaimedJob
import kotlinx.coroutines.CompletableDeferred
import kotlinx.coroutines.ExperimentalCoroutinesApi
import kotlinx.coroutines.awaitCancellation
import kotlinx.coroutines.launch
import kotlinx.coroutines.test.TestScope
import kotlinx.coroutines.test.advanceTimeBy
import kotlinx.coroutines.test.runCurrent
import kotlinx.coroutines.test.runTest
import kotlin.random.Random
import kotlin.time.Duration
import kotlin.time.Duration.Companion.milliseconds
import kotlin.time.Duration.Companion.seconds

private val patience = 20.seconds

@OptIn(ExperimentalCoroutinesApi::class)
class FairSharesSpec :
    FunSpec({
        /** A ledger with its own claim loop, stepped by hand, in a process that it shares. */
        class Tenant(scope: TestScope, places: FairShares, private val queued: Int, cap: Int = 100) {
            val store = ScriptedStore().apply { repeat(queued) { queue += claimedJob() } }
            val config: WorkerConfig = WorkerConfig.builder().workerId("w1").maxConcurrency(cap).build()
            val running = ArrayDeque<ClaimedJob>()
            val share = places.join(cap)
            val slots = Slots(listOf("greet"), cap, emptyMap(), share)
            var wakes = 0
            private val clock = scope.testScheduler.timeSource
            val loop =
                ClaimLoop(config, listOf("greet"), store, slots, clock, ClaimWakeup(config, scope.ticker()), store, patience) {
                        jobs,
                        _,
                        _,
                    ->
                    jobs.forEach { slots.take(it.jobType()) }
                    running += jobs
                }

            init {
                share.onFreeSlot = { wakes++ }
            }

            /** Claims until there is no room or nothing left, as the loop does. */
            suspend fun claim() {
                do {
                    val pause = loop.runOnce()
                } while (pause == Duration.ZERO)
            }

            fun end() {
                running.removeFirst()
                slots.release("greet")
            }

            val done: Int get() = queued - store.queue.size - running.size
        }

        test("a ledger that is alone in having work takes every place") {
            runTest {
                val places = FairShares(8)
                val (busy, idle) = listOf(Tenant(this, places, 100), Tenant(this, places, 0))

                idle.claim()
                busy.claim()

                busy.running shouldHaveSize 8
            }
        }

        test("three jobs are not kept waiting by a hundred thousand: the next places that become free are theirs") {
            runTest {
                val places = FairShares(4)
                val greedy = Tenant(this, places, 100_000)
                greedy.claim()
                val small = Tenant(this, places, 3)
                small.claim()
                greedy.running shouldHaveSize 4

                val begun = List(3) {
                    // The greedy one is always there first.
                    greedy.end()
                    greedy.claim()
                    small.claim()
                    small.running.size
                }

                begun shouldContainExactly listOf(1, 2, 2)
                greedy.running shouldHaveSize 2
                small.end()
                greedy.claim()
                small.claim()
                small.running shouldHaveSize 2
                repeat(2) { small.end() }
                small.claim()
                greedy.claim()
                small.done shouldBe 3
                greedy.running shouldHaveSize 4
            }
        }

        test("who is owed a place is woken for it, and who is not is not") {
            runTest {
                val places = FairShares(2)
                val (greedy, small) = listOf(Tenant(this, places, 10), Tenant(this, places, 1))
                greedy.claim()
                small.claim()

                greedy.end()

                listOf(greedy.wakes, small.wakes) shouldContainExactly listOf(0, 1)
            }
        }

        test("with more ledgers than places each has its turn") {
            runTest {
                val places = FairShares(2)
                val tenants = List(5) { Tenant(this, places, 20) }
                tenants.forEach { it.claim() }

                repeat(10) {
                    tenants.forEach { tenant -> repeat(tenant.running.size) { tenant.end() } }
                    // A ledger that claims before its turn is refused, and woken after the ledgers before it.
                    repeat(2) { tenants.forEach { it.claim() } }
                }

                // The first took both places while it was alone.
                tenants.map { it.done } shouldContainExactly listOf(5, 4, 4, 4, 3)
            }
        }

        test("nothing is kept for a ledger that has reached its own limit, that found nothing, or that is left") {
            runTest {
                val places = FairShares(8)
                val capped = Tenant(this, places, 100, cap = 2)
                val busy = Tenant(this, places, 100)
                capped.claim()
                busy.claim()
                capped.running shouldHaveSize 2
                busy.running shouldHaveSize 6

                val empty = Tenant(this, places, 0)
                empty.claim()
                busy.end()
                empty.claim()
                busy.claim()
                busy.running shouldHaveSize 6

                val left = Tenant(this, places, 100)
                left.claim()
                left.share.quit()
                busy.end()
                busy.claim()
                busy.running shouldHaveSize 6
            }
        }

        test("a claim that fails gives its places back, and nothing is kept for who cannot claim") {
            runTest {
                val places = FairShares(4)
                val broken = Tenant(this, places, 0)
                broken.store.onClaim = { away() }
                val sound = Tenant(this, places, 100)
                sound.claim()
                runCatching { broken.loop.runOnce() }
                sound.end()
                runCatching { broken.loop.runOnce() }.isFailure shouldBe true

                sound.claim()

                sound.running shouldHaveSize 4
            }
        }

        test("a claim without an answer gives its places to the others; what it brings later runs above them until as many end") {
            runTest {
                val places = FairShares(2)
                val (hung, other) = listOf(Tenant(this, places, 2), Tenant(this, places, 10))
                val answer = CompletableDeferred<Unit>()
                hung.store.onClaim = { answer.await() }
                val claim = backgroundScope.launch { hung.loop.runOnce() }
                runCurrent()
                other.claim()
                other.running shouldHaveSize 0

                advanceTimeBy(patience + 1.milliseconds)
                other.wakes shouldBe 1
                other.claim()
                other.running shouldHaveSize 2

                answer.complete(Unit)
                claim.join()
                hung.running shouldHaveSize 2
                repeat(2) { other.end() }
                other.claim()
                other.running shouldHaveSize 0
                repeat(2) { hung.end() }
                other.claim()
                other.running shouldHaveSize 2
            }
        }

        test("nothing is kept for a claim that was answered late and brought nothing") {
            runTest {
                val places = FairShares(2)
                val (hung, other) = listOf(Tenant(this, places, 0), Tenant(this, places, 10))
                val answer = CompletableDeferred<Unit>()
                hung.store.onClaim = { answer.await() }
                val claim = backgroundScope.launch { hung.loop.runOnce() }
                advanceTimeBy(patience + 1.milliseconds)
                answer.complete(Unit)
                claim.join()

                other.claim()

                other.running shouldHaveSize 2
            }
        }

        test("a look whether there is anything to claim takes no place") {
            runTest {
                val places = FairShares(2)
                val (idle, other) = listOf(Tenant(this, places, 0), Tenant(this, places, 10))
                repeat(2) { idle.loop.runOnce() }
                idle.store.onLook = { awaitCancellation() }
                backgroundScope.launch { idle.loop.runOnce() }
                runCurrent()
                idle.store.asked.last() shouldBe "until due"

                other.claim()

                other.running shouldHaveSize 2
            }
        }

        test("whatever ends, every place is taken while work waits, and each ledger has its part of them") {
            repeat(50) { seed ->
                runTest {
                    val random = Random(seed)
                    val places = FairShares(6)
                    val tenants = List(4) { Tenant(this, places, 1_000) }
                    tenants.forEach { it.claim() }
                    repeat(300) {
                        tenants.random(random).takeIf { it.running.isNotEmpty() }?.end()
                        // In no fair order: the first comes first, every time.
                        tenants.forEach { it.claim() }
                        withClue("seed $seed") { tenants.sumOf { it.running.size } shouldBe 6 }
                    }
                    withClue("seed $seed") { tenants.minOf { it.running.size } shouldBe 1 }
                }
            }
        }
    })

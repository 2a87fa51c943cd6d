package io.runledger.coroutines.claim

import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.collections.shouldBeEmpty
import io.kotest.matchers.collections.shouldContainAll
import io.kotest.matchers.collections.shouldContainExactly
import io.kotest.matchers.collections.shouldContainExactlyInAnyOrder
import io.kotest.matchers.collections.shouldNotContainAnyOf
import io.kotest.matchers.ints.shouldBeGreaterThan
import io.kotest.matchers.ints.shouldBeLessThanOrEqual
import io.kotest.matchers.shouldBe
import io.runledger.coroutines.handlers
import io.runledger.coroutines.loop.claimedJob
import io.runledger.coroutines.loop.done
import io.runledger.coroutines.port.Hint
import io.runledger.model.fleet.BeatAnswer
import io.runledger.model.job.ClaimOrigin
import io.runledger.model.lease.ClaimedJob
import io.runledger.model.lease.Renewal
import kotlinx.coroutines.CompletableDeferred
import kotlinx.coroutines.ExperimentalCoroutinesApi
import kotlinx.coroutines.async
import kotlinx.coroutines.delay
import kotlinx.coroutines.test.advanceTimeBy
import kotlinx.coroutines.test.currentTime
import kotlinx.coroutines.test.runCurrent
import kotlinx.coroutines.test.runTest
import java.time.Duration
import java.util.UUID
import kotlin.time.Duration.Companion.milliseconds
import kotlin.time.Duration.Companion.seconds

@OptIn(ExperimentalCoroutinesApi::class)
class ClaimAheadSpec :
    FunSpec({
        test("a fast type is claimed ahead by the hundred, and no more handlers run than the worker allows") {
            runTest {
                val bench = WorkerBench(this, listOf(greet))
                val jobs = bench.enqueue(3_000)

                runCurrent()

                bench.begun shouldContainExactlyInAnyOrder jobs.ids
                bench.mostRunning shouldBeLessThanOrEqual 4
                bench.store.claims.maxOf { it.limit() } shouldBeGreaterThan 400
                bench.store.claims.size shouldBeLessThanOrEqual 60
                bench.stop().finished shouldBe 3_000
            }
        }

        test("a fast type is claimed ahead beside others that have no jobs") {
            runTest {
                val bench = WorkerBench(this)
                bench.enqueue(3_000)

                runCurrent()

                bench.begun.size shouldBe 3_000
                bench.store.claims.size shouldBeLessThanOrEqual 75
                bench.stop()
            }
        }

        test("while nothing is settled, jobs are claimed up to a limit, and again when settlements go on") {
            runTest {
                val bench = WorkerBench(this, listOf(greet))
                val isSettling = CompletableDeferred<Unit>()
                bench.store.onSettle = { all -> all.map { it.done() }.also { isSettling.await() } }
                val jobs = bench.enqueue(20_000)

                advanceTimeBy(3.seconds)
                bench.begun.size shouldBeGreaterThan 3_000
                bench.begun.size shouldBeLessThanOrEqual 6_000

                isSettling.complete(Unit)
                advanceTimeBy(3.seconds)
                bench.begun.size shouldBe jobs.size
                bench.stop().finished shouldBe 20_000
            }
        }

        test("a slow type is not claimed ahead") {
            runTest {
                val bench = WorkerBench(this)
                bench.handle = { delay(150.milliseconds) }
                bench.enqueue(40)

                advanceTimeBy(5.seconds)

                bench.begun.size shouldBe 40
                bench.store.claims.map { it.origin() }.distinct() shouldContainExactly listOf(ClaimOrigin.DIRECT)
                bench.store.claims.maxOf { it.limit() } shouldBe 4
                bench.stop()
            }
        }

        test("slow jobs never wait behind fast ones: a claim ahead names fast types only") {
            runTest {
                val bench = WorkerBench(this)
                bench.handle = { job -> if (job.jobType() == "other") delay(10.seconds) }
                bench.enqueue(2_000) { claimedJob(if (it == 100) "other" else "greet") }

                advanceTimeBy(9.seconds)

                bench.begun.size shouldBe 2_000
                val claims = bench.store.claims
                claims.filter { "other" in it.jobTypes() }.maxOf { it.limit() } shouldBeLessThanOrEqual 4
                claims.filter { "other" !in it.jobTypes() }.maxOf { it.limit() } shouldBeGreaterThan 100
                bench.stop()
            }
        }

        test("no more is claimed ahead than handlers have begun in the last fraction of a second") {
            runTest {
                val bench = WorkerBench(this)
                bench.handle = { delay(40.milliseconds) }
                bench.enqueue(1_000)

                advanceTimeBy(8.seconds)

                // 4 handlers of 40 ms begin 100 jobs a second, 20 in 200 ms.
                bench.store.claims.maxOf { it.limit() } shouldBeLessThanOrEqual 4 + 20
                bench.stop()
            }
        }

        test("the limit of a type holds for jobs claimed ahead, and its held jobs delay no other type") {
            runTest {
                val bench = WorkerBench(this) { typeLimit(greet, 1) }
                var most = 0
                var greeting = 0
                bench.handle = { job ->
                    if (job.jobType() == "greet") {
                        most = maxOf(most, ++greeting)
                        delay(1.milliseconds)
                        greeting--
                    }
                }
                bench.enqueue(600) { claimedJob(if (it % 2 == 0) "greet" else "other") }

                advanceTimeBy(5.seconds)

                most shouldBe 1
                bench.begun.size shouldBe 600
                bench.stop()
            }
        }

        test("held jobs begin by priority, then in the order of their claims") {
            runTest {
                val bench = WorkerBench(this)
                val jobs = bench.enqueue(2_000) { claimedJob(priority = if (it % 10 == 0) 200 else 100) }
                val gate = bench.blockFrom(200)
                runCurrent()
                bench.store.queue.clear()
                val held = jobs.filter { it.lease().jobId() !in bench.begun }
                val before = bench.begun.size

                gate.complete(Unit)
                runCurrent()

                val rest = bench.begun.drop(before)
                rest shouldContainExactly held.filter { it.lease().jobId() in rest }.sortedByDescending { it.priority() }.ids
                bench.stop()
            }
        }

        test("a worker that stops releases held jobs at once, without waiting for those that run") {
            runTest {
                val bench = WorkerBench(this)
                val held = bench.holding()

                val stopping = async { bench.stop() }
                runCurrent()

                currentTime shouldBe 0
                bench.released shouldContainExactlyInAnyOrder held.ids
                stopping.await().released shouldBe held.size + 4
            }
        }

        test("a worker that drains releases held jobs at once, and claims ahead again after it is resumed") {
            runTest {
                val bench = WorkerBench(this)
                val jobs = bench.enqueue(2_000)
                val gate = bench.blockFrom(200)
                runCurrent()
                val held = jobs.take(jobs.size - bench.store.queue.size).filter { it.lease().jobId() !in bench.begun }
                bench.store.onBeat = { BeatAnswer(true, null) }
                bench.store.hint(Hint.Ordered)
                runCurrent()

                bench.released shouldContainExactlyInAnyOrder held.ids
                bench.store.queue += held
                bench.store.onBeat = { BeatAnswer(false, null) }
                bench.store.hint(Hint.Ordered)
                gate.complete(Unit)
                runCurrent()

                bench.begun shouldContainExactlyInAnyOrder jobs.ids
                bench.stop()
            }
        }

        test("held jobs of a paused type, and of a paused run, are released at once") {
            runTest {
                val run = UUID.randomUUID()
                val bench = WorkerBench(this)
                val held = bench.holding(
                    bench.enqueue(2_000) {
                        claimedJob(
                            if (it % 3 == 0) "other" else "greet",
                            step = if (it % 3 == 1) ClaimedJob.ClaimedStep(run, UUID.randomUUID(), "s") else null,
                        )
                    },
                )

                bench.store.hint(Hint.PausedType("other"))
                runCurrent()
                bench.released shouldContainExactlyInAnyOrder held.filter { it.jobType() == "other" }.ids

                bench.store.hint(Hint.PausedRun(run))
                runCurrent()
                bench.released shouldContainExactlyInAnyOrder held.filter { it.jobType() == "other" || it.step() != null }.ids
                bench.stop()
            }
        }

        test("held jobs are renewed, and what waits too long for its slot is released") {
            runTest {
                val bench = WorkerBench(this)
                val held = bench.holding()

                advanceTimeBy(1_900.milliseconds)
                bench.released.shouldBeEmpty()
                advanceTimeBy(200.milliseconds)
                bench.released shouldContainExactlyInAnyOrder held.ids
                bench.stop()
            }
            runTest {
                val bench = WorkerBench(this) { lease(Duration.ofSeconds(3)) }
                val held = bench.holding()

                advanceTimeBy(1_500.milliseconds)

                bench.store.renewed.flatten().map { it.jobId() } shouldContainAll held.ids
                bench.stop()
            }
        }

        test("a held job that is lost or canceled never begins") {
            runTest {
                val bench = WorkerBench(this) { lease(Duration.ofSeconds(3)) }
                val jobs = bench.enqueue(2_000)
                val gate = bench.blockFrom(200)
                runCurrent()
                val held = jobs.take(jobs.size - bench.store.queue.size).filter { it.lease().jobId() !in bench.begun }
                bench.store.queue.clear()
                val lost = held.filterIndexed { n, _ -> n % 2 == 0 }.ids.toSet()
                bench.store.onRenew = { if (it.jobId() in lost) Renewal.Answer.LOST else Renewal.Answer.RENEWED }

                advanceTimeBy(1_200.milliseconds)
                gate.complete(Unit)
                runCurrent()

                bench.begun shouldNotContainAnyOf lost
                bench.begun shouldContainAll held.ids - lost
                bench.stop()
            }
        }

        test("the start of a last attempt is recorded before its handler begins, other starts when they run for a second") {
            runTest {
                val bench = WorkerBench(this, listOf(greet))
                bench.enqueue(200)
                runCurrent()
                bench.store.recorded.shouldBeEmpty()
                val (last, long) = listOf(claimedJob(maxAttempts = 1), claimedJob())
                val gate = CompletableDeferred<Unit>()
                val isRecorded = CompletableDeferred<Unit>()
                bench.handle = { gate.await() }
                bench.store.onRecordStarts = { leases -> leases.also { isRecorded.await() } }
                bench.store.queue += listOf(last, long)
                bench.store.hint(Hint.Due("greet"))
                runCurrent()

                bench.store.claims.last().origin() shouldBe ClaimOrigin.WORKER_PRESTART
                bench.begun shouldNotContainAnyOf listOf(last.lease().jobId())
                bench.begun shouldContainAll listOf(long.lease().jobId())

                isRecorded.complete(Unit)
                runCurrent()
                bench.begun shouldContainAll listOf(last.lease().jobId())
                bench.store.recorded shouldContainExactly listOf(last.lease())

                advanceTimeBy(2_100.milliseconds)
                bench.store.recorded shouldContainExactly listOf(last.lease(), long.lease())
                gate.complete(Unit)
                bench.stop()
            }
        }
    })

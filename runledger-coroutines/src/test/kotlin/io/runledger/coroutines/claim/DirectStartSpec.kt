package io.runledger.coroutines.claim

import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.collections.shouldContainExactly
import io.kotest.matchers.nulls.shouldBeNull
import io.kotest.matchers.nulls.shouldNotBeNull
import io.kotest.matchers.shouldBe
import io.runledger.coroutines.loop.claimedJob
import io.runledger.coroutines.port.Hint
import io.runledger.exposed.start.ReservedSlot
import io.runledger.model.error.ErrorCode
import io.runledger.model.error.UnavailableException
import io.runledger.model.fleet.BeatAnswer
import io.runledger.model.lease.ClaimedJob
import kotlinx.coroutines.CompletableDeferred
import kotlinx.coroutines.ExperimentalCoroutinesApi
import kotlinx.coroutines.async
import kotlinx.coroutines.test.advanceTimeBy
import kotlinx.coroutines.test.currentTime
import kotlinx.coroutines.test.runCurrent
import kotlinx.coroutines.test.runTest
import java.time.Duration
import kotlin.time.Duration.Companion.seconds

private fun WorkerBench.reserve(jobType: String = "greet"): ReservedSlot? = store.starter?.reserve(jobType)

/** What an enqueue does that has a slot. */
private fun WorkerBench.startNew(job: ClaimedJob = claimedJob()): ClaimedJob =
    job.also { reserve(it.jobType()).shouldNotBeNull().start(it) }

/** An idle worker takes a new job without a general claim: as its own process enqueues it, or by the id that a hint names. */
@OptIn(ExperimentalCoroutinesApi::class)
class DirectStartSpec :
    FunSpec({
        test("an idle worker starts new jobs without a claim, as many as it has slots") {
            runTest {
                val bench = WorkerBench(this)
                val gate = bench.blockFrom(1)
                runCurrent()
                val claims = bench.store.claims.size

                val jobs = List(4) { bench.startNew() }
                bench.reserve().shouldBeNull()
                runCurrent()

                bench.begun shouldContainExactly jobs.ids
                bench.store.claims.size shouldBe claims
                gate.complete(Unit)
                runCurrent()
                bench.reserve().shouldNotBeNull().leave()
                bench.stop().finished shouldBe 4
            }
        }

        test("a job without a handler is left to other workers") {
            runTest {
                val bench = WorkerBench(this, listOf(greet))
                runCurrent()

                bench.reserve("other").shouldBeNull()
                bench.stop()
            }
        }

        test("the limit of a type counts jobs that start directly") {
            runTest {
                val bench = WorkerBench(this) { typeLimit(greet, 1) }
                bench.blockFrom(1)
                runCurrent()

                bench.startNew()

                bench.reserve("greet").shouldBeNull()
                bench.reserve("other").shouldNotBeNull().leave()
                bench.stop()
            }
        }

        test("while another due job waits for a slot, a new one takes its turn in the queue") {
            runTest {
                val bench = WorkerBench(this)
                val gate = bench.blockFrom(1)
                bench.enqueue(5)
                runCurrent()
                bench.begun.size shouldBe 4

                // A slot becomes free, and the claim for it is under way.
                val isClaimed = CompletableDeferred<Unit>()
                bench.store.onClaim = { isClaimed.await() }
                gate.complete(Unit)
                runCurrent()
                bench.reserve().shouldBeNull()

                isClaimed.complete(Unit)
                runCurrent()
                bench.begun.size shouldBe 5
                bench.reserve().shouldNotBeNull().leave()
                bench.stop()
            }
        }

        test("after a hint, no job starts directly until a claim has answered it") {
            runTest {
                val bench = WorkerBench(this)
                runCurrent()
                bench.reserve().shouldNotBeNull().leave()
                val isClaimed = CompletableDeferred<Unit>()
                bench.store.onClaim = { isClaimed.await() }

                bench.store.hint(Hint.Due("other"))
                bench.reserve().shouldBeNull()
                runCurrent()
                bench.reserve().shouldBeNull()

                isClaimed.complete(Unit)
                runCurrent()
                bench.reserve().shouldNotBeNull().leave()
                bench.stop()
            }
        }

        test("a hint that arrives during a claim asks for another claim first") {
            runTest {
                val bench = WorkerBench(this)
                var claims = 0
                bench.store.onClaim = { if (++claims == 1) bench.store.hint(Hint.Due("other")) }
                var afterFirst: ReservedSlot? = null
                bench.store.onLook = { if (claims == 1) afterFirst = bench.reserve() }

                runCurrent()

                afterFirst.shouldBeNull()
                bench.reserve().shouldNotBeNull().leave()
                bench.stop()
            }
        }

        test("a job that is due and that the claim did not get keeps new jobs from starting directly") {
            runTest {
                val bench = WorkerBench(this) { pollInterval(Duration.ofSeconds(2)).maxPollInterval(Duration.ofSeconds(2)) }
                bench.store.untilDue = Duration.ZERO
                runCurrent()

                bench.reserve().shouldBeNull()

                bench.store.untilDue = null
                advanceTimeBy(5.seconds)
                bench.reserve().shouldNotBeNull().leave()
                bench.stop()
            }
        }

        test(
            "a worker that drains starts no new job, and waits for one that is being enqueued before it reports that it is drained",
        ) {
            runTest {
                val bench = WorkerBench(this)
                runCurrent()
                val slot = bench.reserve().shouldNotBeNull()
                val states = mutableListOf<String>()
                bench.store.onBeat = {
                    states += it.name
                    BeatAnswer(true, null)
                }
                bench.store.hint(Hint.Ordered)
                runCurrent()

                bench.reserve().shouldBeNull()
                states.contains("DRAINED") shouldBe false

                slot.leave()
                runCurrent()
                states.last() shouldBe "DRAINED"
                bench.stop()
            }
        }

        test("a worker that stops waits for a job that is being enqueued, and releases it") {
            runTest {
                val bench = WorkerBench(this)
                bench.blockFrom(1)
                runCurrent()
                val slot = bench.reserve().shouldNotBeNull()

                val stopping = async { bench.stop() }
                runCurrent()
                bench.store.starter.shouldBeNull()
                val job = claimedJob().also(slot::start)

                stopping.await().released shouldBe 1
                bench.released shouldContainExactly listOf(job).ids
            }
        }

        test("a worker that stops does not wait for ever for an enqueue that does not answer") {
            runTest {
                val bench = WorkerBench(this)
                runCurrent()
                bench.reserve().shouldNotBeNull()

                bench.stop()

                // The grace of the shutdown, and the time for handlers to stop.
                currentTime shouldBe 32_000
            }
        }

        test("a job whose enqueue has no answer is released, and frees its slot") {
            runTest {
                val bench = WorkerBench(this) { maxConcurrency(1) }
                runCurrent()
                val job = claimedJob()

                bench.reserve().shouldNotBeNull().unconfirmed(job.lease())
                runCurrent()

                bench.released shouldContainExactly listOf(job).ids
                bench.begun.size shouldBe 0
                bench.reserve().shouldNotBeNull().leave()
                bench.stop()
            }
        }

        test("the start of an only attempt is recorded before its handler begins") {
            runTest {
                val bench = WorkerBench(this)
                runCurrent()
                val isRecorded = CompletableDeferred<Unit>()
                bench.store.onRecordStarts = { leases -> leases.also { isRecorded.await() } }

                val job = bench.startNew(claimedJob(maxAttempts = 1))
                runCurrent()
                bench.begun.size shouldBe 0

                isRecorded.complete(Unit)
                runCurrent()
                bench.begun shouldContainExactly listOf(job).ids
                bench.stop()
            }
        }

        test("an idle worker claims a new job that a hint names by its id, and looks for others after it") {
            runTest {
                val bench = WorkerBench(this)
                runCurrent()
                bench.store.asked.clear()
                val (new, other) = bench.enqueue(2)
                bench.store.onLook = { if (bench.store.queue.isNotEmpty()) bench.store.untilDue = Duration.ZERO }

                bench.store.hint(Hint.Due("greet", new.lease().jobId()))
                runCurrent()

                bench.begun shouldContainExactly listOf(new, other).ids
                bench.store.asked.take(3) shouldContainExactly listOf("claim new", "until due", "claim")
                bench.stop()
            }
        }

        test("a named job that another worker has taken costs one look more, and its slot is free again") {
            runTest {
                val bench = WorkerBench(this) { maxConcurrency(1) }
                runCurrent()
                bench.store.asked.clear()

                bench.store.hint(Hint.Due("greet", claimedJob().lease().jobId()))
                runCurrent()

                bench.store.asked shouldContainExactly listOf("claim new", "until due")
                bench.reserve().shouldNotBeNull().leave()
                bench.stop()
            }
        }

        test("while another job is due, a hint that names a job asks for the claim that keeps priorities") {
            runTest {
                val bench = WorkerBench(this) { maxConcurrency(1) }
                val gate = bench.blockFrom(1)
                bench.enqueue(2)
                runCurrent()
                val (low, high) = listOf(claimedJob(priority = 1), claimedJob(priority = 200))
                bench.store.queue.addFirst(high)
                bench.store.queue += low

                bench.store.hint(Hint.Due("greet", low.lease().jobId()))
                gate.complete(Unit)
                runCurrent()

                bench.store.asked.contains("claim new") shouldBe false
                bench.begun.size shouldBe 4
                bench.stop()
            }
        }

        test("a claim of a new job that fails frees its slot") {
            runTest {
                val bench = WorkerBench(this) { maxConcurrency(1) }
                runCurrent()
                bench.store.onClaimNew = {
                    bench.store.onClaimNew = {}
                    throw UnavailableException(ErrorCode.DB_UNREACHABLE, "The database cannot be reached.")
                }
                val job = bench.enqueue(1).single()

                bench.store.hint(Hint.Due("greet", job.lease().jobId()))
                advanceTimeBy(5.seconds)

                bench.begun shouldContainExactly listOf(job).ids
                bench.stop()
            }
        }
    })

package io.runledger.coroutines.run

import io.kotest.assertions.throwables.shouldThrow
import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.collections.shouldBeEmpty
import io.kotest.matchers.collections.shouldContainExactly
import io.kotest.matchers.collections.shouldContainExactlyInAnyOrder
import io.kotest.matchers.collections.shouldHaveSize
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import io.kotest.matchers.types.shouldBeInstanceOf
import io.runledger.coroutines.HandlersScope
import io.runledger.coroutines.JobInterceptor
import io.runledger.coroutines.NoLedger
import io.runledger.coroutines.WorkerConfig
import io.runledger.coroutines.WorkerReport
import io.runledger.coroutines.claim.FairShares
import io.runledger.coroutines.claim.Share
import io.runledger.coroutines.claim.WholeShare
import io.runledger.coroutines.currentJob
import io.runledger.coroutines.handlers
import io.runledger.coroutines.loop.ScriptedStore
import io.runledger.coroutines.loop.claimedJob
import io.runledger.coroutines.port.Hint
import io.runledger.coroutines.quick
import io.runledger.coroutines.worker.WorkerParts
import io.runledger.coroutines.worker.WorkerRun
import io.runledger.model.failure.JobFailure
import io.runledger.model.handler.BatchOutcome
import io.runledger.model.handler.Cancellation.Reason
import io.runledger.model.handler.JobContext
import io.runledger.model.handler.JobOutcome
import io.runledger.model.job.JobType
import io.runledger.model.json.Json
import io.runledger.model.lease.ClaimedJob
import io.runledger.model.lease.Renewal
import io.runledger.model.lease.SettledJob
import io.runledger.model.lease.Verdict
import kotlinx.coroutines.CancellationException
import kotlinx.coroutines.CompletableDeferred
import kotlinx.coroutines.Deferred
import kotlinx.coroutines.ExperimentalCoroutinesApi
import kotlinx.coroutines.NonCancellable
import kotlinx.coroutines.async
import kotlinx.coroutines.awaitCancellation
import kotlinx.coroutines.delay
import kotlinx.coroutines.test.StandardTestDispatcher
import kotlinx.coroutines.test.TestScope
import kotlinx.coroutines.test.advanceTimeBy
import kotlinx.coroutines.test.runCurrent
import kotlinx.coroutines.test.runTest
import kotlinx.coroutines.withContext
import org.slf4j.MDC
import java.time.Duration
import java.util.UUID
import kotlin.time.Duration.Companion.seconds

private val greet = JobType.of("greet", Any::class.java)
private val other = JobType.of("other", Any::class.java)
private val count = JobType.of("greet", Int::class.javaObjectType)

/** A whole worker with a batch handler in virtual time, beside a ledger that a test scripts. */
@OptIn(ExperimentalCoroutinesApi::class)
private class BatchBench(
    scope: TestScope,
    max: Int = 10,
    share: Share = WholeShare(),
    type: JobType<out Any> = greet,
    interceptors: List<JobInterceptor> = emptyList(),
    more: HandlersScope.() -> Unit = {},
    settings: WorkerConfig.Builder.() -> Unit = {},
) {
    val store = ScriptedStore()
    val calls = mutableListOf<List<JobContext<*>>>()
    var handle: suspend (List<JobContext<*>>) -> BatchOutcome = { BatchOutcome.succeeded() }

    private val config = quick { maxConcurrency(4).lease(Duration.ofSeconds(30)).apply(settings) }
    private val dispatcher = StandardTestDispatcher(scope.testScheduler)
    private val parts = WorkerParts(
        store.ports, NoLedger,
        handlers {
            onBatch(type, max) { jobs ->
                calls += jobs
                handle(jobs)
            }
            more()
        },
        config, emptyList(), interceptors, emptyList(), emptyList(), dispatcher, dispatcher, scope.testScheduler.timeSource, share,
    )
    private val run = WorkerRun(config, parts)
    private val report: Deferred<WorkerReport> = scope.async { run.run() }

    fun enqueue(count: Int, make: (Int) -> ClaimedJob = { claimedJob() }): List<ClaimedJob> =
        List(count, make).also { store.queue += it }

    val sizes get() = calls.map { it.size }

    fun verdictOf(job: ClaimedJob): Verdict? = store.settled.firstNotNullOfOrNull { it[job.lease()] }

    fun failureOf(job: ClaimedJob): JobFailure = when (val verdict = verdictOf(job)) {
        is Verdict.Retry -> verdict.failure()
        is Verdict.DeadLetter -> verdict.failure()
        else -> throw AssertionError("The job did not fail: $verdict")
    }

    suspend fun stop(): WorkerReport {
        run.requestStop()
        return report.await()
    }
}

private val List<ClaimedJob>.ids: List<UUID> get() = map { it.lease().jobId() }

@OptIn(ExperimentalCoroutinesApi::class)
class BatchAttemptsSpec :
    FunSpec({
        test("jobs that are ready together run in calls of up to the maximum, and are settled together") {
            runTest {
                val bench = BatchBench(this, max = 100)
                val jobs = bench.enqueue(250)

                runCurrent()

                bench.sizes shouldContainExactly listOf(100, 100, 50)
                bench.calls.flatten().map { it.jobId() } shouldContainExactlyInAnyOrder jobs.ids
                bench.store.claims.first().limit() shouldBe 400
                bench.store.settled.sumOf { it.size } shouldBe 250
                bench.store.settled.size shouldBe 1
                bench.stop().finished shouldBe 250
            }
        }

        test("a single job does not wait for others") {
            runTest {
                val bench = BatchBench(this)
                bench.enqueue(1)
                runCurrent()
                bench.sizes shouldContainExactly listOf(1)

                bench.enqueue(3)
                bench.store.hint(Hint.Due("greet"))
                runCurrent()
                bench.sizes shouldContainExactly listOf(1, 3)
                bench.stop()
            }
        }

        test("a call takes one slot, and no more jobs are claimed than free slots can run") {
            runTest {
                val bench = BatchBench(this) { maxConcurrency(2) }
                val gate = CompletableDeferred<Unit>()
                bench.handle = { BatchOutcome.succeeded().also { gate.await() } }
                bench.enqueue(50)

                runCurrent()
                bench.sizes shouldContainExactly listOf(10, 10)
                bench.store.queue shouldHaveSize 30

                gate.complete(Unit)
                runCurrent()
                bench.sizes shouldContainExactly List(5) { 10 }
                bench.stop().finished shouldBe 50
            }
        }

        test("the limit of a type holds for calls") {
            runTest {
                val bench = BatchBench(this) { typeLimit(greet, 1) }
                var running = 0
                var most = 0
                bench.handle = {
                    most = maxOf(most, ++running)
                    delay(1.seconds)
                    running--
                    BatchOutcome.succeeded()
                }
                bench.enqueue(35)

                advanceTimeBy(10.seconds)

                most shouldBe 1
                bench.sizes shouldContainExactly listOf(10, 10, 10, 5)
                bench.stop()
            }
        }

        test("a type that runs in batches leaves slots to slow types beside it, and both are claimed") {
            runTest {
                val gate = CompletableDeferred<Unit>()
                var others = 0
                val bench = BatchBench(
                    this,
                    more = {
                        on(other) {
                            others++
                            gate.await()
                        }
                    },
                )
                bench.enqueue(400) { claimedJob(if (it % 100 == 0) "other" else "greet") }

                runCurrent()

                others shouldBe 4
                bench.store.queue.count { it.jobType() == "other" } shouldBe 0
                gate.complete(Unit)
                runCurrent()
                bench.calls.flatten() shouldHaveSize 396
                bench.stop()
            }
        }

        test("while nothing is due, a worker with other types beside needs one claim to look") {
            runTest {
                val bench = BatchBench(this, more = { on(other) { } })
                runCurrent()
                val before = bench.store.claims.size

                bench.store.hint(Hint.Due("other"))
                runCurrent()

                bench.store.claims.drop(before).map { it.jobTypes() } shouldContainExactly listOf(listOf("greet", "other"))
                bench.stop()
            }
        }

        test("a worker that shares its slots with other ledgers makes batches of its claims") {
            runTest {
                val shares = FairShares(8)
                val bench = BatchBench(this, share = shares.join(8)) { maxConcurrency(8).typeLimit(greet, 1) }
                val gate = CompletableDeferred<Unit>()
                bench.handle = { BatchOutcome.succeeded().also { gate.await() } }
                bench.enqueue(20)

                runCurrent()

                bench.sizes shouldContainExactly listOf(8)
                // The call has one of the eight slots.
                shares.join(8).reserve(8) shouldBe 7
                gate.complete(Unit)
                bench.stop()
            }
        }

        test("each job has its own outcome") {
            runTest {
                val bench = BatchBench(this)
                val (good, bad, late) = bench.enqueue(3)
                bench.handle = { jobs ->
                    BatchOutcome.of(jobs) { job ->
                        when (job.jobId()) {
                            good.lease().jobId() -> JobOutcome.succeeded("fine")
                            bad.lease().jobId() -> JobOutcome.failed("bad", "no good")
                            else -> JobOutcome.snooze(Duration.ofMinutes(1))
                        }
                    }
                }

                runCurrent()

                bench.verdictOf(good).shouldBeInstanceOf<Verdict.Succeed>().output()?.value() shouldBe Json.of("\"fine\"")
                bench.failureOf(bad).code() shouldBe "bad"
                bench.verdictOf(late).shouldBeInstanceOf<Verdict.Snooze>()
                bench.stop()
            }
        }

        test("a job without an outcome fails alone, and is retried") {
            runTest {
                val bench = BatchBench(this)
                val (first, forgotten) = bench.enqueue(2)
                bench.handle = { jobs -> BatchOutcome.of(mapOf(jobs.first() to JobOutcome.succeeded())) }

                runCurrent()

                bench.verdictOf(first).shouldBeInstanceOf<Verdict.Succeed>()
                bench.verdictOf(forgotten).shouldBeInstanceOf<Verdict.Retry>()
                bench.failureOf(forgotten).let {
                    it.code() shouldBe "job.handler_failed"
                    it.message() shouldContain "returned no outcome for this job"
                }
                bench.stop()
            }
        }

        test("an exception fails all jobs of the call, and is classified") {
            runTest {
                val bench = BatchBench(this, more = { classify { thrown, failure -> failure.withCode(thrown.message!!) } })
                val jobs = bench.enqueue(3)
                bench.handle = { throw IllegalStateException("index.down") }

                runCurrent()

                jobs.map { bench.failureOf(it).code() } shouldContainExactly List(3) { "index.down" }
                jobs.forEach { bench.verdictOf(it).shouldBeInstanceOf<Verdict.Retry>() }
                bench.stop()
            }
        }

        test("a lost job is told so, its outcome is ignored, and the others go on") {
            runTest {
                val bench = BatchBench(this)
                val (lost, kept) = bench.enqueue(2)
                val gate = CompletableDeferred<Unit>()
                var reasons = emptyList<Reason?>()
                bench.handle = { jobs ->
                    gate.await()
                    reasons = jobs.map { it.cancellation().reason().orElse(null) }
                    BatchOutcome.succeeded()
                }
                bench.store.onRenew = { if (it == lost.lease()) Renewal.Answer.LOST else Renewal.Answer.RENEWED }

                advanceTimeBy(11.seconds)
                gate.complete(Unit)
                runCurrent()

                reasons shouldContainExactly listOf(Reason.LEASE_LOST, null)
                bench.verdictOf(lost) shouldBe null
                bench.verdictOf(kept).shouldBeInstanceOf<Verdict.Succeed>()
                bench.stop().let { it.finished to it.lost } shouldBe (1 to 1)
            }
        }

        test("a job that times out alone is a timeout when the call ends, and the others succeed") {
            runTest {
                val bench = BatchBench(this)
                val (short, long) = bench.enqueue(2) { claimedJob(timeout = Duration.ofSeconds(if (it == 0) 2L else 60L)) }
                bench.handle = {
                    delay(5.seconds)
                    BatchOutcome.succeeded()
                }

                advanceTimeBy(6.seconds)

                bench.failureOf(short).code() shouldBe "job.timeout_exceeded"
                bench.verdictOf(long).shouldBeInstanceOf<Verdict.Succeed>()
                bench.stop()
            }
        }

        test("a call that outlasts all its jobs is cancelled, whatever the reasons") {
            runTest {
                val bench = BatchBench(this)
                val (canceled, late) = bench.enqueue(2) { claimedJob(timeout = Duration.ofSeconds(20)) }
                var end: Throwable? = null
                bench.handle = {
                    try {
                        awaitCancellation()
                    } catch (cancelled: CancellationException) {
                        end = cancelled
                        throw cancelled
                    }
                }
                bench.store.onRenew = { if (it == canceled.lease()) Renewal.Answer.CANCELED else Renewal.Answer.RENEWED }

                advanceTimeBy(19.seconds)
                end shouldBe null
                advanceTimeBy(2.seconds)

                end?.message shouldContain "A stop of all jobs of the batch"
                bench.verdictOf(canceled) shouldBe null
                bench.failureOf(late).code() shouldBe "job.timeout_exceeded"
                bench.stop()
            }
        }

        test("a call that ignores its stop keeps its slot, and its jobs within the overtime of their type") {
            suspend fun TestScope.stuck(overtime: Duration, test: suspend (BatchBench, List<ClaimedJob>, () -> Unit) -> Unit) {
                val bench =
                    BatchBench(this, more = { overtime(greet, overtime) }) { maxConcurrency(1).stopGrace(Duration.ZERO) }
                val jobs = bench.enqueue(2) { claimedJob(timeout = Duration.ofSeconds(2)) }
                val gate = CompletableDeferred<Unit>()
                bench.handle = {
                    withContext(NonCancellable) { gate.await() }
                    BatchOutcome.succeeded()
                }
                advanceTimeBy(3.seconds)
                bench.enqueue(1)
                test(bench, jobs) {
                    bench.sizes shouldContainExactly listOf(2)
                    gate.complete(Unit)
                    advanceTimeBy(1.seconds)
                    bench.sizes shouldContainExactly listOf(2, 1)
                }
                jobs.map { bench.failureOf(it).code() } shouldContainExactly List(2) { "job.timeout_exceeded" }
                bench.stop()
            }
            runTest {
                stuck(Duration.ofMinutes(2)) { bench, _, end ->
                    bench.store.settled.shouldBeEmpty()
                    bench.store.asked.count { it == "overtime PT2M" } shouldBe 2
                    end()
                }
            }
            runTest {
                stuck(Duration.ZERO) { bench, jobs, end ->
                    jobs.map { bench.failureOf(it).code() } shouldContainExactly List(2) { "job.timeout_exceeded" }
                    end()
                }
            }
        }

        test("a payload that cannot be decoded parks its own job, at once") {
            runTest {
                val bench = BatchBench(this, type = count)
                val (bad, good) = bench.enqueue(2) { claimedJob(payload = Json.of(if (it == 0) "{}" else "7")) }
                val gate = CompletableDeferred<Unit>()
                bench.handle = { BatchOutcome.succeeded().also { gate.await() } }

                runCurrent()
                bench.failureOf(bad).code() shouldBe "job.invalid_payload"
                bench.calls.single().map { it.payload() } shouldContainExactly listOf(7)

                gate.complete(Unit)
                runCurrent()
                bench.verdictOf(good).shouldBeInstanceOf<Verdict.Succeed>()
                bench.stop()
            }
            runTest {
                val bench = BatchBench(this, type = count)
                bench.enqueue(3)
                runCurrent()
                bench.calls.shouldBeEmpty()
                bench.stop().finished shouldBe 3
            }
        }

        test("a worker that stops cancels the call and releases its jobs; outcomes that are returned in time count") {
            runTest {
                val bench = BatchBench(this)
                val jobs = bench.enqueue(3)
                bench.handle = { awaitCancellation() }
                runCurrent()

                bench.stop().released shouldBe 3
                bench.store.released.flatten() shouldContainExactlyInAnyOrder jobs.map { it.lease() }
            }
            runTest {
                val bench = BatchBench(this)
                bench.enqueue(3)
                bench.handle = { jobs ->
                    try {
                        awaitCancellation()
                    } catch (_: CancellationException) {
                        jobs.forEach { it.cancellation().reason().orElseThrow() shouldBe Reason.SHUTDOWN }
                        BatchOutcome.succeeded()
                    }
                }
                runCurrent()

                bench.stop().finished shouldBe 3
            }
        }

        test("the starts of last attempts are recorded together, before the call") {
            runTest {
                val bench = BatchBench(this)
                val jobs = bench.enqueue(5) { claimedJob(maxAttempts = if (it < 3) 1 else 3) }
                val isRecorded = CompletableDeferred<Unit>()
                bench.store.onRecordStarts = { leases -> leases.also { isRecorded.await() } }
                runCurrent()
                bench.calls.shouldBeEmpty()

                isRecorded.complete(Unit)
                runCurrent()

                bench.sizes shouldContainExactly listOf(5)
                bench.store.recorded shouldContainExactlyInAnyOrder jobs.take(3).map { it.lease() }
                bench.store.asked.count { it == "record starts" } shouldBe 1
                bench.stop()
            }
        }

        test("a settlement that is delayed does not delay those of its neighbours") {
            runTest {
                val bench = BatchBench(this)
                val (locked, free) = bench.enqueue(2)
                bench.store.onSettle = { verdicts ->
                    verdicts.map { (lease, _) ->
                        val result =
                            if (lease == locked.lease()) {
                                SettledJob.Result.BUSY
                            } else {
                                SettledJob.Result.SUCCEEDED
                            }
                        SettledJob(lease, result, null)
                    }
                }
                runCurrent()
                advanceTimeBy(11.seconds)

                // Only the job that is not settled is still renewed.
                bench.store.renewed.last() shouldContainExactly listOf(locked.lease())
                bench.store.settled.count { free.lease() in it } shouldBe 1
                bench.stop()
            }
        }

        test("interceptors and currentJob are for single jobs; the log context has the type") {
            runTest {
                var intercepted = 0
                val bench = BatchBench(this, interceptors = listOf(JobInterceptor { _, next -> next().also { intercepted++ } }))
                bench.enqueue(2)
                var seen: Map<String, String> = emptyMap()
                bench.handle = {
                    currentJob() shouldBe null
                    seen = MDC.getCopyOfContextMap().orEmpty()
                    BatchOutcome.succeeded()
                }

                runCurrent()

                intercepted shouldBe 0
                seen shouldBe mapOf("runledger.ledger" to "none", "runledger.type" to "greet")
                bench.stop()
            }
        }

        test("a batch has at least one job and at most as many as one claim") {
            listOf(0, -1, 1_001).forEach { max ->
                shouldThrow<IllegalArgumentException> { handlers { onBatch(greet, max) { BatchOutcome.succeeded() } } }
                    .message shouldContain "give 1 to 1000"
            }
        }
    })

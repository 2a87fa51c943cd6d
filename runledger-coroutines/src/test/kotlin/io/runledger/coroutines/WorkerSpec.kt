package io.runledger.coroutines

import io.kotest.assertions.throwables.shouldThrow
import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.collections.shouldContainExactly
import io.kotest.matchers.collections.shouldContainExactlyInAnyOrder
import io.kotest.matchers.ints.shouldBeLessThanOrEqual
import io.kotest.matchers.nulls.shouldNotBeNull
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import io.runledger.coroutines.worker.RunledgerWorker
import io.runledger.model.failure.JobFailure
import io.runledger.model.handler.JobOutcome
import io.runledger.model.job.JobStatus
import io.runledger.model.job.JobType
import io.runledger.model.json.Json
import io.runledger.model.ledger.Scope
import io.runledger.model.retry.RetryPolicy
import kotlinx.coroutines.CancellationException
import kotlinx.coroutines.CompletableDeferred
import kotlinx.coroutines.async
import kotlinx.coroutines.awaitCancellation
import kotlinx.coroutines.cancelAndJoin
import kotlinx.coroutines.coroutineScope
import kotlinx.coroutines.yield
import java.time.Duration
import java.util.concurrent.CompletableFuture
import java.util.concurrent.atomic.AtomicInteger

private val greet = JobType.of("greet", String::class.java)
private val hurry = JobType.builder("hurry", String::class.java)
    .retryPolicy(RetryPolicy.fixed(Duration.ofMillis(1)))
    .maxAttempts(2)
    .build()

class WorkerSpec :
    FunSpec({
        test("a job is claimed, run and settled with its output, and its story says so") {
            val ledger = freshLedger()
            ledger.define(greet)
            val id = ledger.enqueue(greet, "Ada")

            val report = working(ledger.client, handlers { on(greet) { "hello ${it.payload()}" } }) { witness ->
                witness.await("succeeded", id)
                witness.of(id) shouldContainExactly listOf("claimed", "started", "succeeded")
            }

            ledger.job(id).status() shouldBe JobStatus.SUCCEEDED
            ledger.job(id).output() shouldBe Json.of("\"hello Ada\"")
            report.finished shouldBe 1
            ledger.client.jobs.story(Scope.everything(), id).attempts().size shouldBe 1
        }

        test("blocking and CompletionStage handlers work alike") {
            val ledger = freshLedger()
            ledger.define(greet, hurry)
            val ids = listOf(ledger.enqueue(greet, "Ada"), ledger.enqueue(hurry, "Bob"))
            val handlers = handlers {
                blocking(greet) { JobOutcome.succeeded(it.payload()) }
                async(hurry) { CompletableFuture.completedFuture(JobOutcome.succeeded(it.payload())) }
            }

            working(ledger.client, handlers) { witness -> witness.awaitAll("succeeded", count = 2) }

            ids.map { ledger.job(it).output() } shouldBe listOf(Json.of("\"Ada\""), Json.of("\"Bob\""))
        }

        test("a failing handler is tried again by its policy until its attempts are spent") {
            val ledger = freshLedger()
            ledger.define(hurry)
            val id = ledger.enqueue(hurry, "Ada")

            working(ledger.client, handlers { on(hurry) { error("not today") } }) { witness ->
                witness.await("dead-lettered", id)
                witness.of(id) shouldContainExactly
                    listOf("claimed", "started", "retried", "claimed", "started", "dead-lettered")
            }

            ledger.job(id).status() shouldBe JobStatus.DEAD_LETTERED
            ledger.job(id).lastErrorMessage().shouldNotBeNull() shouldContain "not today"
        }

        test("a payload that cannot be decoded becomes a dead letter with a code, and the worker goes on") {
            val ledger = freshLedger()
            ledger.define(greet, hurry)
            val numbers = JobType.of("greet", List::class.java)
            val bad = ledger.client.jobs.enqueue(numbers, listOf(1, 2)).id()
            val good = ledger.enqueue(hurry, "Ada")

            working(
                ledger.client,
                handlers {
                    on(greet) { it.payload() }
                    on(hurry) { it.payload() }
                },
            ) { witness ->
                val failure = witness.await("dead-lettered", bad).detail as JobFailure
                failure.code() shouldBe "job.invalid_payload"
                witness.await("succeeded", good)
            }

            ledger.job(bad).lastErrorCode() shouldBe "job.invalid_payload"
        }

        test("an output that cannot be encoded fails its own job only") {
            val ledger = freshLedger()
            ledger.define(greet, hurry)
            val bad = ledger.enqueue(greet, "Ada")
            val good = ledger.enqueue(hurry, "Bob")
            val unspeakable = object {
                @Suppress("unused")
                fun getValue(): String = error("no words")
            }

            working(
                ledger.client,
                handlers {
                    on(greet) { unspeakable }
                    on(hurry) { it.payload() }
                },
            ) { witness ->
                (witness.await("dead-lettered", bad).detail as JobFailure).code() shouldBe "job.invalid_output"
                witness.await("succeeded", good)
            }
        }

        test("jobs of a type without a handler are never claimed") {
            val ledger = freshLedger()
            ledger.define(greet, hurry)
            val foreign = ledger.enqueue(hurry, "Ada")
            val own = ledger.enqueue(greet, "Bob")

            working(ledger.client, handlers { on(greet) { } }) { witness -> witness.await("succeeded", own) }

            ledger.job(foreign).status() shouldBe JobStatus.PENDING
            ledger.job(foreign).attempt() shouldBe 0
        }

        test("no more jobs run at once than the worker and their type allow") {
            val ledger = freshLedger()
            ledger.define(greet, hurry)
            repeat(12) { ledger.enqueue(greet, "$it") }
            repeat(12) { ledger.enqueue(hurry, "$it") }
            val all = Gauge()
            val greeting = Gauge()

            working(
                ledger.client,
                handlers {
                    on(greet) { greeting.around { all.around { yield() } } }
                    on(hurry) { all.around { yield() } }
                },
                quick { maxConcurrency(4).typeLimit(greet, 2) },
            ) { witness -> witness.awaitAll("succeeded", count = 24) }

            all.most shouldBeLessThanOrEqual 4
            greeting.most shouldBeLessThanOrEqual 2
        }

        test("a type at its limit does not keep others from running") {
            val ledger = freshLedger()
            ledger.define(greet, hurry)
            repeat(3) { ledger.enqueue(greet, "$it") { priority(900) } }
            val behind = ledger.enqueue(hurry, "Ada")

            working(
                ledger.client,
                handlers {
                    on(greet) { awaitCancellation() }
                    on(hurry) { }
                },
                quick { maxConcurrency(2).typeLimit(greet, 1) },
            ) { witness -> witness.await("succeeded", behind) }
        }

        test("run() works in the caller's scope and ends in good order when that is cancelled") {
            val ledger = freshLedger()
            ledger.define(greet)
            val id = ledger.enqueue(greet, "Ada")
            val running = CompletableDeferred<Unit>()
            val witness = Witness()
            val worker = RunledgerWorker.builder(ledger.client)
                .handlers(
                    handlers {
                        on(greet) {
                            running.complete(Unit)
                            awaitCancellation()
                        }
                    },
                )
                .config(quick()).observe(witness).build()

            coroutineScope {
                val work = async { worker.run() }
                running.await()
                work.cancelAndJoin()
                shouldThrow<CancellationException> { work.await() }
            }

            ledger.job(id).status() shouldBe JobStatus.PENDING
            ledger.job(id).interruptions() shouldBe 1
            (witness.await("stopped").detail as WorkerReport).released shouldBe 1
        }

        test("several workers of several ledgers live in one process") {
            val one = freshLedger()
            val other = freshLedger()
            listOf(one, other).forEach { it.define(greet) }
            val ids = listOf(one, one, other).mapIndexed { n, ledger -> ledger.enqueue(greet, "$n") }
            val handlers = handlers { on(greet) { it.workerId() } }

            val everyone = Witness()

            working(one.client, handlers, quick { workerId("one-a") }, { observe(everyone) }) {
                working(one.client, handlers, quick { workerId("one-b") }, { observe(everyone) }) {
                    working(other.client, handlers, quick { workerId("other") }, { observe(everyone) }) {
                        everyone.awaitAll("succeeded", count = 3)
                    }
                }
            }

            everyone.told.filter { it.what == "succeeded" }.map { it.jobId } shouldContainExactlyInAnyOrder ids
            other.job(ids[2]).output() shouldBe Json.of("\"other\"")
        }
    })

/** Counts the concurrent calls. */
private class Gauge {
    private val now = AtomicInteger()
    private val peak = AtomicInteger()
    val most: Int get() = peak.get()

    suspend fun around(work: suspend () -> Unit) {
        peak.accumulateAndGet(now.incrementAndGet(), ::maxOf)
        try {
            work()
        } finally {
            now.decrementAndGet()
        }
    }
}

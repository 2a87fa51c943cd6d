package io.runledger.coroutines

import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.collections.shouldContainExactly
import io.kotest.matchers.shouldBe
import io.runledger.coroutines.worker.RunledgerWorker
import io.runledger.model.failure.AttemptOutcome
import io.runledger.model.handler.JobOutcome
import io.runledger.model.job.JobStatus
import io.runledger.model.job.JobType
import io.runledger.model.ledger.Scope
import kotlinx.coroutines.CompletableDeferred
import kotlinx.coroutines.awaitCancellation
import kotlinx.coroutines.future.await
import java.time.Duration
import java.util.concurrent.CountDownLatch

private val slow = JobType.of("slow", String::class.java)

class ShutdownSpec :
    FunSpec({
        test("what finishes within the grace is finished, and nothing more is claimed") {
            val ledger = freshLedger()
            ledger.define(slow)
            val running = ledger.enqueue(slow, "running")
            val started = CompletableDeferred<Unit>()
            val go = CompletableDeferred<Unit>()
            val worker = RunledgerWorker.builder(ledger.client)
                .handlers(
                    handlers {
                        on(slow) {
                            started.complete(Unit)
                            go.await()
                        }
                    },
                )
                // One slot, so that no claim runs while the job runs: a running claim could still claim later jobs.
                .config(quick { maxConcurrency(1).shutdownGrace(Duration.ofMinutes(1)) })
                .start()
            started.await()

            val stopping = worker.stop()
            val late = ledger.enqueue(slow, "late")
            go.complete(Unit)
            val report = stopping.await()

            ledger.job(running).status() shouldBe JobStatus.SUCCEEDED
            ledger.job(late).status() shouldBe JobStatus.PENDING
            report.finished shouldBe 1
            report.released shouldBe 0
        }

        test("what does not finish is asked to stop and given back without spending its attempt") {
            val ledger = freshLedger()
            ledger.define(slow)
            val ids = List(5) { ledger.enqueue(slow, "$it") }

            val report = working(ledger.client, handlers { on(slow) { awaitCancellation() } }) {
                it.awaitAll("started", count = 5)
            }

            report.released shouldBe 5
            report.abandoned shouldBe emptyList()
            ids.forEach { id ->
                ledger.job(id).status() shouldBe JobStatus.PENDING
                ledger.job(id).interruptions() shouldBe 1
                ledger.client.jobs.story(Scope.everything(), id).attempts().single().outcome() shouldBe AttemptOutcome.INTERRUPTED
            }
        }

        test("a handler that will not stop is reported and abandoned, and does not hold up the end") {
            val ledger = freshLedger()
            ledger.define(slow)
            val id = ledger.enqueue(slow, "")
            val go = CountDownLatch(1)
            val ended = CountDownLatch(1)
            val isInside = CompletableDeferred<Unit>()
            val handlers = handlers {
                blocking(slow) {
                    isInside.complete(Unit)
                    while (go.count > 0) {
                        try {
                            go.await()
                        } catch (_: InterruptedException) {
                            // Ignores the request to stop.
                        }
                    }
                    ended.countDown()
                    JobOutcome.succeeded()
                }
            }
            val stubborn = Witness()

            val report = working(ledger.client, handlers, quick { stopGrace(Duration.ofMillis(50)) }, { observe(stubborn) }) {
                isInside.await()
            }

            report.abandoned shouldContainExactly listOf(id)
            stubborn.of(id) shouldContainExactly listOf("claimed", "started", "stuck")
            ledger.job(id).status() shouldBe JobStatus.LEASED
            go.countDown()
            ended.await()
        }

        test("a handler stuck past its timeout is timed out in the ledger and keeps its place") {
            val ledger = freshLedger()
            val brief = JobType.builder("brief", String::class.java).timeout(Duration.ofSeconds(1)).maxAttempts(1).build()
            ledger.define(brief)
            val stuck = ledger.enqueue(brief, "stuck") { priority(200) }
            val waiting = ledger.enqueue(brief, "waiting")
            val go = CountDownLatch(1)
            val handlers = handlers {
                overtime(brief, Duration.ZERO)
                blocking(brief) { job ->
                    while (job.payload() == "stuck" && go.count > 0) {
                        try {
                            go.await()
                        } catch (_: InterruptedException) {
                            // Ignores the request to stop.
                        }
                    }
                    JobOutcome.succeeded()
                }
            }

            working(ledger.client, handlers, quick { maxConcurrency(1).stopGrace(Duration.ofMillis(50)) }) {
                it.await("dead-lettered", stuck)
                ledger.job(stuck).lastErrorCode() shouldBe "job.timeout_exceeded"
                ledger.job(waiting).status() shouldBe JobStatus.PENDING
                go.countDown()
                it.await("succeeded", waiting)
            }
        }

        test("stopping twice is stopping once, and closing waits for the end") {
            val ledger = freshLedger()
            val worker = RunledgerWorker.builder(ledger.client).config(quick()).start()

            val first = worker.stop()
            worker.close()

            worker.ended().isDone shouldBe true
            first.await().finished shouldBe 0
            worker.stop().await().finished shouldBe 0
        }
    })

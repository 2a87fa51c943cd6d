package io.runledger.coroutines

import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.shouldBe
import io.runledger.exposed.RunledgerClient
import io.runledger.model.handler.Cancellation
import io.runledger.model.handler.JobOutcome
import io.runledger.model.job.JobStatus
import io.runledger.model.job.JobType
import io.runledger.model.ledger.Scope
import kotlinx.coroutines.CompletableDeferred
import kotlinx.coroutines.awaitCancellation
import java.time.Duration
import java.util.concurrent.CountDownLatch

private val wait = JobType.of("wait", String::class.java)

class CancelSpec :
    FunSpec({
        // No poll and no renewal comes during the test: what arrives, arrives by notification.
        val rarely = quick {
            pollInterval(Duration.ofHours(1)).maxPollInterval(Duration.ofHours(1)).lease(Duration.ofHours(3))
        }

        test("canceling a running job reaches its suspending handler by notification") {
            val ledger = freshLedger()
            ledger.define(wait)
            val started = CompletableDeferred<Unit>()
            val reason = CompletableDeferred<Cancellation.Reason>()
            val handlers = handlers {
                on(wait) { job ->
                    job.cancellation().onRequest { reason.complete(it) }
                    started.complete(Unit)
                    awaitCancellation()
                }
            }

            val id = ledger.enqueue(wait, "")
            working(ledger.client, handlers, rarely) { witness ->
                started.await()
                ledger.client.jobs.cancel(Scope.everything(), id, "not wanted")
                witness.await("canceled", id)
            }

            reason.await() shouldBe Cancellation.Reason.CANCELED
            ledger.job(id).status() shouldBe JobStatus.CANCELED
        }

        test("canceling a running job interrupts its blocking handler by notification") {
            val ledger = freshLedger()
            ledger.define(wait)
            val started = CompletableDeferred<Unit>()
            val interrupted = CompletableDeferred<Boolean>()
            val handlers = handlers {
                blocking(wait) { job ->
                    started.complete(Unit)
                    try {
                        CountDownLatch(1).await()
                    } catch (stop: InterruptedException) {
                        interrupted.complete(job.isCancelled)
                        throw stop
                    }
                    JobOutcome.succeeded()
                }
            }

            val id = ledger.enqueue(wait, "")
            working(ledger.client, handlers, rarely) { witness ->
                started.await()
                ledger.client.jobs.cancel(Scope.everything(), id, "not wanted")
                witness.await("canceled", id)
            }

            interrupted.await() shouldBe true
        }

        test("a new job wakes an idle worker by notification") {
            val ledger = freshLedger()
            ledger.define(wait)

            working(ledger.client, handlers { on(wait) { } }, rarely) { witness ->
                val first = ledger.enqueue(wait, "")
                witness.await("succeeded", first)
                val second = ledger.enqueue(wait, "")
                witness.await("succeeded", second)
            }
        }

        test("without notifications the same things happen, by looking") {
            val ledger = freshLedger()
            ledger.define(wait)
            val client = RunledgerClient.builder(ledger.pool).notifications(false).build()
            val started = CompletableDeferred<Unit>()
            val handlers = handlers {
                on(wait) {
                    started.complete(Unit)
                    awaitCancellation()
                }
            }

            working(client, handlers, quick { lease(Duration.ofSeconds(1)) }) { witness ->
                val id = client.jobs.enqueue(wait, "").id()
                started.await()
                client.jobs.cancel(Scope.everything(), id, "not wanted")
                witness.await("canceled", id)
            }
        }
    })

package io.runledger.coroutines

import io.kotest.core.spec.style.FunSpec
import io.kotest.core.test.Enabled
import io.kotest.matchers.ints.shouldBeLessThan
import io.kotest.matchers.shouldBe
import io.runledger.model.handler.Cancellation
import io.runledger.model.handler.JobOutcome
import io.runledger.model.job.JobRequest
import io.runledger.model.job.JobStatus
import io.runledger.model.job.JobType
import io.runledger.model.ledger.Scope
import kotlinx.coroutines.CompletableDeferred
import kotlinx.coroutines.withTimeout
import java.lang.management.ManagementFactory
import java.util.concurrent.ConcurrentLinkedQueue
import java.util.concurrent.CountDownLatch
import java.util.concurrent.atomic.AtomicInteger
import kotlin.time.Duration.Companion.minutes

private val block = JobType.of("block", Int::class.javaObjectType)
private const val JOBS = 2_000

class VirtualThreadsSpec :
    FunSpec({
        fun Thread.isVirtualThread() = Thread::class.java.getMethod("isVirtual").invoke(this)

        test("thousands of blocking handlers block at once, each on a virtual thread, and cancellation interrupts the right one")
            .config(
                enabledOrReasonIf = {
                    val feature = Runtime.version().feature()
                    if (feature >= 21) Enabled.enabled else Enabled.disabled("JDK $feature has no virtual threads.")
                },
            ) {
                val ledger = freshLedger()
                ledger.define(block)
                val ids = ledger.client.jobs.enqueueAll(List(JOBS) { JobRequest.of(block, it) }).map { it.id() }
                val canceled = ids[JOBS / 2]
                val threadsBefore = ManagementFactory.getThreadMXBean().threadCount
                val inside = AtomicInteger()
                val everybodyIsIn = CompletableDeferred<Unit>()
                val go = CountDownLatch(1)
                val virtual = ConcurrentLinkedQueue<Any>()
                val interrupted = ConcurrentLinkedQueue<Any>()
                val handlers = handlers {
                    blocking(block) { job ->
                        virtual += Thread.currentThread().isVirtualThread()
                        if (inside.incrementAndGet() == JOBS) everybodyIsIn.complete(Unit)
                        try {
                            go.await()
                        } catch (stop: InterruptedException) {
                            interrupted += job.jobId() to job.cancellation().reason().get()
                            throw stop
                        }
                        job.progress(1, 1)
                        JobOutcome.succeeded()
                    }
                }

                val report = working(ledger.client, handlers, quick { maxConcurrency(JOBS).claimBatchSize(500) }) { witness ->
                    withTimeout(2.minutes) { everybodyIsIn.await() }
                    (ManagementFactory.getThreadMXBean().threadCount - threadsBefore) shouldBeLessThan 250
                    ledger.client.jobs.cancel(Scope.everything(), canceled, "not wanted")
                    witness.await("canceled", canceled)
                    go.countDown()
                    until("all others have succeeded") {
                        ledger.value("SELECT count(*) FROM runledger.job_queue WHERE status = 'SUCCEEDED'") == "${JOBS - 1}"
                    }
                }

                virtual.toSet() shouldBe setOf(true)
                interrupted.toList() shouldBe listOf(canceled to Cancellation.Reason.CANCELED)
                ledger.job(canceled).status() shouldBe JobStatus.CANCELED
                report.finished shouldBe JOBS - 1
            }
    })

package io.runledger.coroutines

import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.ints.shouldBeLessThan
import io.kotest.matchers.ints.shouldBeLessThanOrEqual
import io.kotest.matchers.shouldBe
import io.runledger.coroutines.worker.RunledgerWorker
import io.runledger.model.job.JobRequest
import io.runledger.model.job.JobType
import kotlinx.coroutines.CompletableDeferred
import kotlinx.coroutines.withTimeout
import java.lang.management.ManagementFactory
import java.time.Duration
import java.util.concurrent.atomic.AtomicInteger
import kotlin.time.Duration.Companion.minutes

private val wait = JobType.of("wait", Int::class.javaObjectType)
private const val JOBS = 10_000

class ManyHandlersSpec :
    FunSpec({
        test("ten thousand handlers are suspended at once, and keep their leases, with a pool of ten connections") {
            val ledger = freshLedger(poolSize = 10)
            ledger.define(wait)
            ledger.client.jobs.enqueueAll(List(JOBS) { JobRequest.of(wait, it) })
            val counting = CountingDataSource(ledger.pool)
            val threadsBefore = ManagementFactory.getThreadMXBean().threadCount
            val inside = AtomicInteger()
            val everybodyIsIn = CompletableDeferred<Unit>()
            val go = CompletableDeferred<Unit>()
            val handlers = handlers {
                on(wait) {
                    if (inside.incrementAndGet() == JOBS) everybodyIsIn.complete(Unit)
                    go.await()
                    inside.decrementAndGet()
                }
            }
            fun jobs(which: String) = ledger.value("SELECT count(*) FROM runledger.job_queue WHERE $which").toInt()
            val worker = RunledgerWorker.builder(ledger.clientOn(counting.dataSource))
                .handlers(handlers)
                .config(quick { maxConcurrency(JOBS).claimBatchSize(1_000).lease(Duration.ofSeconds(30)) })
                .start()

            withTimeout(2.minutes) { everybodyIsIn.await() }
            val sent = counting.sent.size
            val then = ledger.value("SELECT clock_timestamp()")
            until("every lease was renewed while all handlers were suspended") { jobs("last_heartbeat_at > '$then'") == JOBS }

            inside.get() shouldBe JOBS
            ledger.pool.hikariPoolMXBean.totalConnections shouldBeLessThanOrEqual 10
            (ManagementFactory.getThreadMXBean().threadCount - threadsBefore) shouldBeLessThan 150
            // One statement renews them all; the rest are polls.
            counting.sent.drop(sent).count { "last_heartbeat_at" in it } shouldBeLessThanOrEqual 3

            go.complete(Unit)
            until("every job has succeeded") { jobs("status = 'SUCCEEDED' AND attempt = 1") == JOBS }
            worker.stop().get().finished shouldBe JOBS
            counting.mostConnections shouldBeLessThanOrEqual 10
        }
    })

package io.runledger.coroutines

import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.ints.shouldBeLessThanOrEqual
import io.kotest.matchers.shouldBe
import io.runledger.model.spec.JobRequest
import io.runledger.model.spec.JobType
import kotlinx.coroutines.CompletableDeferred
import kotlinx.coroutines.withTimeout
import kotlinx.coroutines.yield
import java.util.concurrent.atomic.AtomicInteger
import kotlin.time.Duration.Companion.minutes

private val wait = JobType.of("wait", Int::class.javaObjectType)
private const val JOBS = 10_000

class ManyHandlersSpec :
    FunSpec({
        test("ten thousand handlers are suspended at once with at most ten connections") {
            val ledger = freshLedger()
            ledger.define(wait)
            ledger.client.jobs.enqueueAll(List(JOBS) { JobRequest.of(wait, it) })
            val counting = CountingDataSource(ledger.pool)
            val inside = AtomicInteger()
            val everybodyIsIn = CompletableDeferred<Unit>()
            val go = CompletableDeferred<Unit>()
            val handlers = handlers {
                on(wait) {
                    if (inside.incrementAndGet() == JOBS) everybodyIsIn.complete(Unit)
                    go.await()
                }
            }
            val worker = RunledgerWorker.builder(ledger.clientOn(counting.dataSource))
                .handlers(handlers)
                .config(quick { maxConcurrency(JOBS).claimBatchSize(1_000) })
                .start()

            withTimeout(2.minutes) { everybodyIsIn.await() }
            inside.get() shouldBe JOBS
            go.complete(Unit)
            while (ledger.value("SELECT count(*) FROM runledger.job_queue WHERE status = 'SUCCEEDED'") != "$JOBS") {
                yield()
            }

            worker.stop().get().finished shouldBe JOBS
            counting.mostConnections shouldBeLessThanOrEqual 10
        }
    })

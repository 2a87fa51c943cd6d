package io.runledger.coroutines

import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.shouldBe
import io.runledger.coroutines.crash.LosingDataSource
import io.runledger.exposed.RunledgerClient
import io.runledger.model.error.UnavailableException
import io.runledger.model.fleet.WorkerSelection
import io.runledger.model.job.JobRequest
import io.runledger.model.job.JobStatus
import io.runledger.model.job.JobType
import io.runledger.model.ledger.Scope
import java.util.UUID
import java.util.concurrent.atomic.AtomicBoolean

private val own = JobType.of("own", String::class.java)

/** Jobs that are enqueued in the process of their worker, with the same client. */
class OwnJobsSpec :
    FunSpec({
        fun RunledgerClient.enqueue(settings: JobRequest.Builder.() -> Unit = {}): UUID =
            jobs.enqueue(JobRequest.builder(own, "x").apply(settings).build()).id()

        /** Returns when jobs start as they are enqueued: the worker has made its first claim, and knows of no due job. */
        suspend fun awaitDirectStart(client: RunledgerClient) = until("a job starts directly") {
            client.jobs.enqueue(JobRequest.builder(own, "x").build()).status() == JobStatus.LEASED
        }

        test("an idle worker starts a job as it is enqueued, in two statements from the enqueue to its end") {
            val ledger = freshLedger().apply { define(own) }
            val counting = CountingDataSource(ledger.pool)
            val client = RunledgerClient.create(counting.dataSource)

            working(client, handlers { on(own) { } }) { witness ->
                awaitDirectStart(client)
                val before = counting.sent.size
                val id = client.enqueue()
                witness.await("succeeded", id)

                val statements = counting.sent.drop(before).filter { "$id" in it }
                statements.size shouldBe 2
                ledger.job(id).status() shouldBe JobStatus.SUCCEEDED
            }
        }

        test("a worker that drains leaves new jobs in the queue, and starts them when it is resumed") {
            val ledger = freshLedger().apply { define(own) }

            working(ledger.client, handlers { on(own) { } }) { witness ->
                awaitDirectStart(ledger.client)
                ledger.client.workers.drain(WorkerSelection.all(), "maintenance")
                until("it is drained") { ledger.value("SELECT state FROM runledger.workers") == "DRAINED" }

                val id = ledger.client.enqueue()
                ledger.job(id).status() shouldBe JobStatus.PENDING

                ledger.client.workers.resumeAll("done")
                witness.await("succeeded", id)
            }
        }

        test("a job of a paused type waits until the type is resumed") {
            val ledger = freshLedger().apply { define(own) }

            working(ledger.client, handlers { on(own) { } }) { witness ->
                awaitDirectStart(ledger.client)
                ledger.client.definitions.pause("own")

                val id = ledger.client.enqueue()
                ledger.job(id).status() shouldBe JobStatus.PENDING

                ledger.client.definitions.resume("own")
                witness.await("succeeded", id)
            }
        }

        test("an enqueue whose answer is lost runs its job once, on its only attempt") {
            val ledger = freshLedger().apply { define(own) }
            val isNext = AtomicBoolean(false)
            val losing = LosingDataSource(ledger.pool) { isNext.getAndSet(false) }
            val client = ledger.clientOn(losing.dataSource)
            val started = mutableListOf<UUID>()

            working(client, handlers { on(own) { job -> synchronized(started) { started += job.jobId() } } }) { witness ->
                awaitDirectStart(client)
                isNext.set(true)
                try {
                    client.enqueue { maxAttempts(1).idempotencyKey("k") }
                } catch (_: UnavailableException) {
                    // The caller repeats it under the same key.
                }
                val id = client.enqueue { maxAttempts(1).idempotencyKey("k") }
                witness.await("succeeded", id)

                synchronized(started) { started.count { it == id } } shouldBe 1
                ledger.client.jobs.story(Scope.everything(), id).attempts().last().attempt() shouldBe
                    ledger.job(id).attempt()
            }
        }
    })

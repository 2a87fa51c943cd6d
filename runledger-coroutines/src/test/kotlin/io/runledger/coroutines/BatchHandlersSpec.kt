package io.runledger.coroutines

import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.collections.shouldContainExactly
import io.kotest.matchers.collections.shouldContainExactlyInAnyOrder
import io.kotest.matchers.ints.shouldBeGreaterThan
import io.kotest.matchers.ints.shouldBeLessThanOrEqual
import io.kotest.matchers.maps.shouldContainExactly
import io.kotest.matchers.shouldBe
import io.runledger.model.handler.BatchOutcome
import io.runledger.model.handler.Cancellation.Reason
import io.runledger.model.handler.JobOutcome
import io.runledger.model.job.JobRequest
import io.runledger.model.job.JobStatus
import io.runledger.model.job.JobType
import io.runledger.model.json.Json
import io.runledger.model.ledger.Scope
import io.runledger.model.retry.RetryPolicy
import io.runledger.model.workflow.WorkflowRequest
import kotlinx.coroutines.CompletableDeferred
import java.time.Duration
import java.util.UUID
import java.util.concurrent.ConcurrentLinkedQueue
import java.util.concurrent.CountDownLatch
import java.util.concurrent.TimeUnit

private val index = JobType.builder("page.index", Int::class.javaObjectType)
    .retryPolicy(RetryPolicy.fixed(Duration.ofMillis(1)))
    .build()

/** Batch handlers on a real ledger. */
class BatchHandlersSpec :
    FunSpec({
        fun TestLedger.enqueueAll(count: Int): List<UUID> =
            client.jobs.enqueueAll(List(count) { JobRequest.of(index, it) }).map { it.id() }

        fun TestLedger.statuses(): Map<String, Int> =
            rows("SELECT status, count(*) FROM runledger.job_queue GROUP BY 1").associate {
                it.substringBefore("|") to it.substringAfter("|").toInt()
            }

        test("thousands of jobs run once each, in large batches") {
            val ledger = freshLedger()
            ledger.define(index)
            ledger.enqueueAll(3_000)
            val calls = ConcurrentLinkedQueue<List<Int>>()
            val registry = handlers {
                onBatch(index, max = 200) { jobs ->
                    calls += jobs.map { it.payload() }
                    BatchOutcome.succeeded()
                }
            }

            working(ledger.client, registry) { until("all jobs have ended") { ledger.statuses().keys == setOf("SUCCEEDED") } }

            calls.flatten() shouldContainExactlyInAnyOrder List(3_000) { it }
            calls.maxOf { it.size } shouldBeLessThanOrEqual 200
            calls.maxOf { it.size } shouldBeGreaterThan 50
        }

        test("each job ends by its own outcome, and a failed one is retried in a later batch") {
            val ledger = freshLedger()
            ledger.define(index)
            val ids = ledger.enqueueAll(30)
            val registry = handlers {
                blockingBatch(index, 100) { jobs ->
                    BatchOutcome.of(jobs) { job ->
                        when {
                            job.payload() % 3 == 0 -> JobOutcome.succeeded("page ${job.payload()}")
                            job.payload() % 3 == 1 -> JobOutcome.failed("page.gone", "There is no such page.")
                            job.attempt() == 1 -> JobOutcome.retry("page.busy", "The page is locked.")
                            else -> JobOutcome.succeeded()
                        }
                    }
                }
            }

            working(ledger.client, registry) { witness ->
                witness.awaitAll("succeeded", count = 20)
                witness.awaitAll("dead-lettered", count = 10)
            }

            ledger.statuses() shouldContainExactly mapOf("SUCCEEDED" to 20, "DEAD_LETTERED" to 10)
            ledger.job(ids[3]).output() shouldBe Json.of("\"page 3\"")
            ledger.job(ids[2]).attempt() shouldBe 2
        }

        test("a job that is canceled during the call is told so, and only the others are settled by it") {
            val ledger = freshLedger()
            ledger.define(index)
            val (canceled, kept) = ledger.enqueueAll(2)
            val isRunning = CompletableDeferred<Unit>()
            val reason = CompletableDeferred<Reason>()
            val registry = handlers {
                blockingBatch(index, 10) { jobs ->
                    val stopped = CountDownLatch(1)
                    jobs.single { it.jobId() == canceled }.cancellation().onRequest {
                        reason.complete(it)
                        stopped.countDown()
                    }
                    isRunning.complete(Unit)
                    check(stopped.await(30, TimeUnit.SECONDS)) { "The job was not canceled." }
                    BatchOutcome.succeeded()
                }
            }

            working(ledger.client, registry) { witness ->
                isRunning.await()
                ledger.client.jobs.cancel(Scope.everything(), canceled, "not wanted")
                witness.await("succeeded", kept)
            }

            reason.await() shouldBe Reason.CANCELED
            ledger.job(canceled).status() shouldBe JobStatus.CANCELED
            ledger.job(kept).status() shouldBe JobStatus.SUCCEEDED
        }

        test("rows of the handler and the successes of its jobs are committed together") {
            val ledger = freshLedger()
            ledger.define(index)
            ledger.run("CREATE TABLE pages (n int PRIMARY KEY)")
            ledger.enqueueAll(20)
            val registry = handlers {
                blockingBatch(index, 100) { jobs ->
                    ledger.pool.connection.use { connection ->
                        connection.autoCommit = false
                        connection.prepareStatement("INSERT INTO pages (n) VALUES (?)").use { insert ->
                            jobs.forEach {
                                insert.setInt(1, it.payload())
                                insert.addBatch()
                            }
                            insert.executeBatch()
                        }
                        jobs.forEach { it.settleIn(connection) }
                        connection.commit()
                    }
                    BatchOutcome.succeeded()
                }
            }

            working(ledger.client, registry) { it.awaitAll("succeeded", count = 20) }

            ledger.value("SELECT count(*) FROM pages") shouldBe "20"
        }

        test("steps of different runs share a batch, and their runs continue") {
            val ledger = freshLedger()
            ledger.define(index)
            val runs = List(10) { n ->
                val flow = WorkflowRequest.builder("flow").also { flow ->
                    val first = flow.job("first") { it.runs(index, n) }
                    flow.job("second") { it.runs(index, 100 + n).after(first) }
                }.build()
                ledger.client.workflows.enqueue(flow).runId()
            }
            val registry = handlers { onBatch(index) { BatchOutcome.succeeded() } }

            working(ledger.client, registry) { it.awaitAll("succeeded", count = 20) }

            runs.map {
                ledger.value("SELECT status FROM runledger.workflow_runs WHERE id = '$it'")
            }.distinct() shouldContainExactly
                listOf("SUCCEEDED")
        }
    })

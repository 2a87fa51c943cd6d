package io.runledger.coroutines

import io.kotest.assertions.throwables.shouldThrow
import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.collections.shouldContainExactly
import io.kotest.matchers.comparables.shouldBeGreaterThan
import io.kotest.matchers.comparables.shouldBeLessThanOrEqualTo
import io.kotest.matchers.shouldBe
import io.runledger.model.error.InvalidRequestException
import io.runledger.model.error.LeaseLostException
import io.runledger.model.failure.JobFailure
import io.runledger.model.handler.Cancellation
import io.runledger.model.handler.JobContext
import io.runledger.model.handler.JobOutcome
import io.runledger.model.handler.LogLevel
import io.runledger.model.job.JobStage
import io.runledger.model.job.JobStatus
import io.runledger.model.job.JobType
import io.runledger.model.job.Progress
import io.runledger.model.ledger.Scope
import io.runledger.model.workflow.WorkflowRequest
import kotlinx.coroutines.CompletableDeferred
import kotlinx.coroutines.awaitCancellation
import java.time.Duration
import java.util.UUID

private val index = JobType.builder("index", String::class.java).maxAttempts(3).timeout(Duration.ofMinutes(5)).build()

data class Place(val page: Int)

class JobContextSpec :
    FunSpec({
        test("a context tells who the job is and what is left of its time") {
            val ledger = freshLedger()
            ledger.define(index)
            val organization = UUID.randomUUID()
            val id = ledger.enqueue(index, "a.org") { organization(organization) }
            val seen = CompletableDeferred<JobContext<String>>()
            val remaining = CompletableDeferred<Duration>()
            val wasCancelled = CompletableDeferred<Boolean>()
            val handlers = handlers {
                on(index) {
                    remaining.complete(it.remaining())
                    wasCancelled.complete(it.isCancelled)
                    seen.complete(it)
                }
            }

            working(ledger.client, handlers, quick { workerId("w7") }) { it.await("succeeded", id) }

            with(seen.await()) {
                jobId() shouldBe id
                jobType() shouldBe "index"
                organizationId() shouldBe organization
                runNumber() shouldBe 1
                attempt() shouldBe 1
                maxAttempts() shouldBe 3
                workerId() shouldBe "w7"
                payload() shouldBe "a.org"
            }
            wasCancelled.await() shouldBe false
            remaining.await() shouldBeLessThanOrEqualTo Duration.ofMinutes(5)
            remaining.await() shouldBeGreaterThan Duration.ofMinutes(4)
        }

        test("progress, stage, checkpoint and log lines are in the ledger while the handler runs, and the next attempt goes on") {
            val ledger = freshLedger()
            ledger.define(index)
            val id = ledger.enqueue(index, "a.org")
            val resumedAt = CompletableDeferred<Int>()
            val handlers = handlers {
                blocking(index) { job ->
                    val place = job.checkpoint(Place::class.java)
                    if (place.isPresent) {
                        resumedAt.complete(place.get().page)
                        JobOutcome.succeeded()
                    } else {
                        job.progress(3, 10)
                        job.stage(JobStage.RUNNING)
                        job.saveCheckpoint(Place(3))
                        job.log(LogLevel.INFO, "three pages done")
                        ledger.job(id).progress() shouldBe Progress.of(3, 10)
                        job.checkpoint(Place::class.java).get() shouldBe Place(3)
                        JobOutcome.continueNow()
                    }
                }
            }

            working(ledger.client, handlers) { it.await("succeeded", id) }

            resumedAt.await() shouldBe 3
            ledger.client.logs.list(Scope.everything(), id).items().map { it.message() } shouldContainExactly
                listOf("three pages done")
        }

        test("a checkpoint of another type is refused with its code") {
            val ledger = freshLedger()
            ledger.define(index)
            val id = ledger.enqueue(index, "a.org")

            working(
                ledger.client,
                handlers {
                    on(index) {
                        it.saveCheckpoint("page three")
                        it.checkpoint(Place::class.java)
                    }
                },
            ) { (it.await("dead-lettered", id).detail as JobFailure).code() shouldBe "job.invalid_checkpoint" }
        }

        test("a handler that finds its lease lost is stopped, even if it swallows the exception") {
            val ledger = freshLedger()
            ledger.define(index)
            val id = ledger.enqueue(index, "a.org")
            val reason = CompletableDeferred<Cancellation.Reason>()
            val handlers = handlers {
                on(index) { job ->
                    job.cancellation().onRequest { reason.complete(it) }
                    ledger.run("UPDATE runledger.job_queue SET lease_id = gen_random_uuid()")
                    shouldThrow<LeaseLostException> { job.progress(1, 2) }
                    awaitCancellation()
                }
            }

            working(ledger.client, handlers) { it.await("lost", id) }

            reason.await() shouldBe Cancellation.Reason.LEASE_LOST
            ledger.job(id).status() shouldBe JobStatus.LEASED
        }

        test("a step reads what its prerequisites produced, and nothing else") {
            val ledger = freshLedger()
            val publish = JobType.of("publish", String::class.java)
            ledger.define(index, publish)
            val workflow = WorkflowRequest.builder("site")
            val first = workflow.job("crawl") { it.runs(index, "a.org") }
            workflow.job("publish") { it.runs(publish, "a.org").after(first) }
            ledger.client.workflows.enqueue(workflow.build())
            val read = CompletableDeferred<String>()
            val refused = CompletableDeferred<String>()
            val handlers = handlers {
                on(index) { "12 pages" }
                on(publish) { job ->
                    refused.complete(
                        shouldThrow<InvalidRequestException> {
                            job.output("other", String::class.java)
                        }.code().wire(),
                    )
                    read.complete(job.output("crawl", String::class.java).get())
                }
            }

            working(ledger.client, handlers) { it.awaitAll("succeeded", count = 2) }

            read.await() shouldBe "12 pages"
            refused.await() shouldBe "request.invalid"
        }
    })

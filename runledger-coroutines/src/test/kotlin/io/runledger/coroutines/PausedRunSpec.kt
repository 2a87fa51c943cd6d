package io.runledger.coroutines

import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.collections.shouldContainExactly
import io.kotest.matchers.shouldBe
import io.runledger.exposed.worker.WorkerLedger
import io.runledger.model.job.JobType
import io.runledger.model.ledger.Scope
import io.runledger.model.workflow.WorkflowRequest
import io.runledger.model.workflow.WorkflowRunStatus
import kotlinx.coroutines.CompletableDeferred
import kotlinx.coroutines.future.await
import java.time.Duration
import java.util.UUID
import java.util.concurrent.CopyOnWriteArrayList

class PausedRunSpec :
    FunSpec({
        val note = JobType.of("note", String::class.java)
        val global = Scope.global()

        /** Two steps, one after the other. */
        fun TestLedger.start(): UUID {
            define(note)
            val workflow = WorkflowRequest.builder("notes")
            val first = workflow.job("first", note, "first")
            workflow.job("second") { it.runs(note, "second").after(first) }
            return client.workflows.enqueue(workflow.build()).runId()
        }

        test("what runs goes on, nothing follows it, and the resume wakes a worker that looks for work once an hour") {
            val ledger = freshLedger()
            val run = ledger.start()
            val seen = CopyOnWriteArrayList<String>()
            val isPaused = CompletableDeferred<Unit>()
            val handlers = handlers {
                on(note) { job ->
                    seen += job.payload()
                    if (job.payload() == "first") isPaused.await()
                }
            }
            val rarely = quick { pollInterval(Duration.ofHours(1)).maxPollInterval(Duration.ofHours(1)) }

            working(ledger.client, handlers, rarely) { witness ->
                val end = ledger.client.workflows.await(global, run, Duration.ofMinutes(1))
                witness.await("started")
                ledger.client.workflows.pause(global, run, "wait for the auditors")
                isPaused.complete(Unit)
                witness.await("succeeded")
                // Another job of the type is claimed, and it is due later than the second step.
                witness.await("succeeded", ledger.enqueue(note, "beside"))
                end.isDone shouldBe false

                ledger.client.workflows.resume(global, run)
                end.await().status() shouldBe WorkflowRunStatus.SUCCEEDED
            }

            seen shouldContainExactly listOf("first", "beside", "second")
        }

        test("nothing of a paused run is due, so no worker has a reason to look for it") {
            val ledger = freshLedger()
            val run = ledger.start()
            ledger.client.workflows.pause(global, run)

            WorkerLedger.of(ledger.client).leases.untilDue(listOf("note")) shouldBe null

            ledger.client.workflows.cancel(global, run)
        }
    })

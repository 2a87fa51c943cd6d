package io.runledger.exposed.intake

import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.collections.shouldBeEmpty
import io.kotest.matchers.shouldBe
import io.runledger.exposed.leases
import io.runledger.exposed.shouldRefuse
import io.runledger.exposed.workflow.Flow
import io.runledger.exposed.workflow.flow
import io.runledger.exposed.workflow.gate
import io.runledger.exposed.workflow.workflow
import io.runledger.model.error.ErrorCode
import io.runledger.model.error.RunledgerException
import io.runledger.model.job.JobRequest
import io.runledger.model.job.Progress
import io.runledger.model.json.Json
import io.runledger.model.json.Payload
import io.runledger.model.lease.ProgressReport
import io.runledger.model.lease.Verdict
import io.runledger.model.ledger.Scope
import io.runledger.model.run.GateCompletion
import io.runledger.model.schedule.ScheduleRequest
import io.runledger.model.workflow.WorkflowRequest
import java.time.Duration

/** The ledger stores values inside its own documents and must read them back, so it accepts fewer levels than it reads. */
class NestingSpec :
    FunSpec({
        val flow = flow()
        val client = flow.client
        val all = Scope.everything()
        val deepest = 500

        fun nested(depth: Int) = Json.of("{\"a\":".repeat(depth - 1) + "[]" + "}".repeat(depth - 1))

        fun outcome(call: () -> Unit): String = try {
            call()
            "taken"
        } catch (refused: RunledgerException) {
            refused.code().wire()
        }

        fun run(payload: Json): WorkflowRequest = workflow { job("a") { it.runs(Flow.TYPE, payload) } }

        beforeTest { flow.cancelEverything() }
        afterTest { flow.contradictions().shouldBeEmpty() }

        listOf(deepest, deepest + 1, 512).forEach { depth ->
            test("a payload of depth $depth is taken or refused alike, wherever it is given") {
                val payload = nested(depth)
                val expected = if (depth <= deepest) "taken" else "job.invalid_payload"
                val waiting = client.jobs.enqueue(JobRequest.builder(Flow.TYPE, 1).build()).id()
                val gated = flow.start { gate("g") }

                mapOf<String, () -> Unit>(
                    "a job" to { client.jobs.enqueue(JobRequest.builder(Flow.TYPE, payload).build()) },
                    "a keyed job" to {
                        client.jobs.enqueue(JobRequest.builder(Flow.TYPE, payload).idempotencyKey("$depth").build())
                    },
                    "many jobs" to { client.jobs.enqueueAll(List(2) { JobRequest.builder(Flow.TYPE, payload).build() }) },
                    "a run" to { flow.start(run(payload)) },
                    "a context" to {
                        flow.start {
                            context(payload)
                            gate("g")
                        }
                    },
                    "an edit" to { client.jobs.editPayload(all, waiting, Payload.of(payload), "why") },
                    "a schedule" to {
                        val request = ScheduleRequest.builder("s$depth", Flow.TYPE, payload).every(Duration.ofHours(1))
                        client.schedules.upsert(all, request.build())
                    },
                    "a scheduled run" to {
                        val request = ScheduleRequest.builder("w$depth", run(payload)).every(Duration.ofHours(1))
                        client.schedules.upsert(all, request.build())
                    },
                ).mapValues { (_, call) -> outcome(call) }.filterValues { it != expected } shouldBe emptyMap()
                outcome { client.workflows.completeGate(all, GateCompletion.succeeded(gated, "g", payload)) } shouldBe
                    if (depth <= deepest) "taken" else "job.invalid_output"
            }
        }

        test("what is taken can be read wherever the ledger tells of it") {
            val deep = nested(deepest)
            val job = client.jobs.enqueue(JobRequest.builder(Flow.TYPE, deep).idempotencyKey("read").build()).id()
            client.jobs.editPayload(all, job, Payload.of(1), "why")
            val run = flow.start(run(deep))
            client.workflows.editPayload(all, run, "a", Payload.of(1), "why")

            client.jobs.story(all, job)
            client.jobs.events(all, job).items()
            client.workflows.get(all, run)
            client.workflows.events(all, run).items()
            client.workflows.story(all, run)
            client.schedules.list(all)
        }

        test("outputs, checkpoints and contributions are refused by the same rule, each with its code") {
            val own = flow()
            val tooDeep = Payload.of(nested(deepest + 1))

            fun endedWith(verdict: Verdict): String {
                own.start(run(Json.EMPTY_OBJECT))
                val claimed = own.claim().getValue("a")
                own.settle(claimed, verdict)
                val job = claimed.lease().jobId()
                return own.ledger.value(
                    "SELECT concat(status, ' ' || last_error_code) FROM runledger.job_queue WHERE id = '$job'",
                )
            }

            endedWith(Verdict.Succeed(tooDeep)) shouldBe "DEAD_LETTERED job.invalid_output"
            // The context is an object around what is contributed, so that is one level less.
            endedWith(Verdict.Succeed(null, mapOf("deep" to Payload.of(nested(deepest))))) shouldBe
                "DEAD_LETTERED workflow.invalid_context"
            endedWith(Verdict.Succeed(Payload.of(nested(deepest)), mapOf("deep" to Payload.of(nested(deepest - 1))))) shouldBe
                "SUCCEEDED"
            own.start(run(Json.EMPTY_OBJECT))
            val lease = own.claim().getValue("a").lease()
            shouldRefuse(ErrorCode.INVALID_CHECKPOINT) {
                own.client.leases.report(ProgressReport(lease, Progress.NONE, null, tooDeep))
            }
            own.contradictions().shouldBeEmpty()
        }
    })

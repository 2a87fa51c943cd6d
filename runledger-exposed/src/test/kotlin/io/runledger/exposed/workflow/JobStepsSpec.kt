package io.runledger.exposed.workflow

import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.collections.shouldBeEmpty
import io.kotest.matchers.collections.shouldContainExactly
import io.kotest.matchers.shouldBe
import io.kotest.matchers.shouldNotBe
import io.runledger.exposed.lease
import io.runledger.exposed.leases
import io.runledger.exposed.shouldRefuse
import io.runledger.model.error.ErrorCode
import io.runledger.model.job.JobRequest
import io.runledger.model.job.JobStatus
import io.runledger.model.job.KeptState
import io.runledger.model.job.Lease
import io.runledger.model.job.Progress
import io.runledger.model.job.ReplayRequest
import io.runledger.model.job.RequeueRequest
import io.runledger.model.json.Json
import io.runledger.model.json.Payload
import io.runledger.model.lease.ClaimRequest
import io.runledger.model.lease.ClaimedJob
import io.runledger.model.lease.SettledJob
import io.runledger.model.lease.Verdict
import io.runledger.model.ledger.Scope
import java.sql.Connection
import java.time.Duration

/** The states of a step while its job is claimed, run, released, canceled and continued. */
class JobStepsSpec :
    FunSpec({
        val flow = flow()
        val everything = Scope.everything()

        beforeTest { flow.cancelEverything() }

        afterTest { flow.contradictions().shouldBeEmpty() }

        test("a claim starts the step; a retry sends it back with the same job and keeps the first start") {
            val run = flow.start { work("a") { maxAttempts(3) } }
            val first = flow.claim().getValue("a")
            val started = flow.step(run, "a", "started_at")

            flow.settle(first, again)

            started shouldNotBe ""
            flow.step(run, "a", "status, status_reason, last_error_code, last_error_message, finished_at, started_at") shouldBe
                "ENQUEUED|RETRYABLE|test.flaky|Not this time.||$started"
            val second = flow.claim().getValue("a")
            second.lease().jobId() shouldBe first.lease().jobId()
            flow.step(run, "a", "status, started_at") shouldBe "RUNNING|$started"
            flow.succeed(second, 7)
            flow.step(run, "a", "status, status_reason, output, last_error_code, started_at") shouldBe
                "SUCCEEDED|SUCCEEDED|7||$started"
        }

        test("whatever a settlement says about being a step's, the ledger knows") {
            flow.start { repeat(3) { work("step-$it") } }
            repeat(3) { flow.client.jobs.enqueue(JobRequest.builder(Flow.TYPE, Json.EMPTY_OBJECT).build()) }
            val jobs = flow.client.leases.claim(ClaimRequest.of(listOf(Flow.TYPE), "w1", lease, 10))
            val (steps, own) = jobs.partition { it.step() != null }
            fun settle(asSteps: List<ClaimedJob>) = flow.client.leases.settle(
                jobs.associate { job ->
                    val lease = job.lease()
                    val given = Lease(
                        lease.jobId(),
                        lease.runNumber(),
                        lease.attempt(),
                        lease.workerId(),
                        lease.leaseId(),
                        job in asSteps,
                    )
                    given to Verdict.Succeed(null)
                },
            ).map { it.result() }

            settle(asSteps = steps.take(2) + own.take(2)) shouldBe List(6) { SettledJob.Result.SUCCEEDED }

            listOf(steps, own).forEach { settle(it) shouldBe List(6) { SettledJob.Result.LOST } }
        }

        test("the last failed attempt fails the step, with kind, code and message, and with it the run") {
            val run = flow.start { work("a") { maxAttempts(2) } }

            flow.settle(flow.claim().getValue("a"), again)
            flow.settle(flow.claim().getValue("a"), again).result() shouldBe SettledJob.Result.DEAD_LETTERED

            flow.step(run, "a", "status, status_reason, last_error_code, last_error_message") shouldBe
                "FAILED|RETRYABLE|test.flaky|Not this time."
            flow.status(run) shouldBe "COMPLETED_WITH_ERRORS"
        }

        test("a job that is given back leaves its step in the queue, without an error") {
            val run = flow.start { work("a") }

            flow.client.leases.release(listOf(flow.claim().getValue("a").lease()), "SHUTDOWN")

            flow.step(run, "a", "status, status_reason, last_error_code, finished_at") shouldBe "ENQUEUED|SHUTDOWN||"
            flow.status(run) shouldBe "RUNNING"
            flow.finish("a")
            flow.status(run) shouldBe "SUCCEEDED"
        }

        test("canceling a step's job ends the step and lets go on what waits for any end") {
            val run = flow.start {
                val a = work("a")
                work("next", a)
                work("clean", a.onTerminal())
            }

            flow.client.jobs.cancel(everything, flow.jobOf(run, "a"), "not needed")

            flow.steps(run).shouldContainExactly("a CANCELED", "next CANCELED", "clean ENQUEUED")
            flow.step(run, "a", "status_reason, last_error_code") shouldBe "not needed|"
            flow.step(run, "next", "status_reason") shouldBe ErrorCode.DEPENDENCY_UNSATISFIED.wire()
            flow.finish("clean")
            flow.status(run) shouldBe "COMPLETED_WITH_ERRORS"
        }

        test("a handler that cancels its own job ends the step as canceled") {
            val run = flow.start { work("a") }

            flow.settle(flow.claim().getValue("a"), Verdict.Cancel("nothing to do"))

            flow.step(run, "a", "status, status_reason") shouldBe "CANCELED|nothing to do"
            flow.status(run) shouldBe "COMPLETED_WITH_ERRORS"
        }

        test("a continuation that the step does not allow fails the step and says why") {
            val run = flow.start { work("a") }

            val settled = flow.settle(flow.claim().getValue("a"), Verdict.Continue(null, null, Duration.ZERO))

            settled.result() shouldBe SettledJob.Result.DEAD_LETTERED
            flow.step(run, "a", "status, last_error_code") shouldBe "FAILED|${ErrorCode.WORKFLOW_JOB_CONTINUATION.wire()}"
            flow.status(run) shouldBe "COMPLETED_WITH_ERRORS"
        }

        test("a step that may continue does so in further runs of the same job, and releases once, at the end") {
            val run = flow.start {
                val a = work("a") { mayContinue() }
                work("ok", a)
                work("any", a.onTerminal())
            }
            val job = flow.jobOf(run, "a")

            repeat(3) { round ->
                val claimed = flow.claim().getValue("a")
                claimed.lease().runNumber() shouldBe round + 1
                flow.settle(claimed, Verdict.Continue(null, Payload.of(round), Duration.ZERO)).result() shouldBe
                    SettledJob.Result.CONTINUED
                flow.step(run, "a", "status, status_reason, last_error_code, job_id") shouldBe
                    "ENQUEUED|HANDLER_CONTINUATION||$job"
                flow.steps(run).drop(1).shouldContainExactly("ok BLOCKED", "any BLOCKED")
            }
            flow.ledger.value("SELECT run_number, attempt, checkpoint FROM runledger.job_queue WHERE id = '$job'") shouldBe
                "4|0|2"
            flow.finish("a")

            flow.steps(run).shouldContainExactly("a SUCCEEDED", "ok ENQUEUED", "any ENQUEUED")
            flow.claim().values.forEach(flow::succeed)
            flow.status(run) shouldBe "SUCCEEDED"
        }

        test("a continuation for later is not claimed yet, and the run goes on") {
            val run = flow.start { work("a") { mayContinue() } }

            flow.settle(flow.claim().getValue("a"), Verdict.Continue(null, null, Duration.ofDays(1)))

            flow.claim().keys.shouldBeEmpty()
            flow.steps(run).shouldContainExactly("a ENQUEUED")
            flow.status(run) shouldBe "RUNNING"
        }

        test("in repeatable read a step's job cannot be settled or canceled, and stays with its worker") {
            val run = flow.start { work("a") }
            val claimed = flow.claim().getValue("a")

            flow.joined(Connection.TRANSACTION_REPEATABLE_READ) { ledger ->
                shouldRefuse(ErrorCode.COMPLETION_ISOLATION) {
                    ledger.leases.settle(mapOf(claimed.lease() to Verdict.Succeed(null)))
                }
                shouldRefuse(ErrorCode.CANCEL_ISOLATION) { ledger.jobs.cancel(everything, claimed.lease().jobId()) }
            }

            flow.steps(run).shouldContainExactly("a RUNNING")
            flow.succeed(claimed).result() shouldBe SettledJob.Result.SUCCEEDED
        }

        test("a step's job is not requeued, replayed or edited as if it were a job of its own") {
            val run = flow.start {
                work("good")
                work("bad")
                work("late") { delay(Duration.ofDays(1)) }
            }
            val claimed = flow.claim()
            flow.succeed(claimed.getValue("good"))
            flow.fail(claimed.getValue("bad"))
            val (good, bad, late) = listOf("good", "bad", "late").map { flow.jobOf(run, it) }

            shouldRefuse(ErrorCode.WORKFLOW_JOB_REQUEUE) {
                flow.client.jobs.requeue(
                    everything,
                    RequeueRequest(bad, JobStatus.DEAD_LETTERED, 1, KeptState.RESET_PROGRESS_AND_CHECKPOINT, null),
                )
            }
            shouldRefuse(ErrorCode.WORKFLOW_JOB_REQUEUE) {
                flow.client.jobs.replay(everything, ReplayRequest(good, 1, "key", "again"))
            }
            shouldRefuse(ErrorCode.INVALID_ARGUMENT) { flow.client.jobs.editPayload(everything, late, Payload.of(1), "typo") }
            flow.steps(run).shouldContainExactly("good SUCCEEDED", "bad FAILED", "late ENQUEUED")
        }
    })

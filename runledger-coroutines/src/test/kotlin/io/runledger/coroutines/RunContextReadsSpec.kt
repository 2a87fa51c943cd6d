package io.runledger.coroutines

import io.kotest.assertions.throwables.shouldThrow
import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.collections.shouldBeEmpty
import io.kotest.matchers.collections.shouldContainExactly
import io.kotest.matchers.shouldBe
import io.runledger.model.condition.Condition
import io.runledger.model.error.ErrorCode
import io.runledger.model.error.InvalidRequestException
import io.runledger.model.handler.JobOutcome
import io.runledger.model.job.JobRequest
import io.runledger.model.job.JobStatus
import io.runledger.model.job.JobType
import io.runledger.model.json.Json
import io.runledger.model.ledger.Scope
import io.runledger.model.workflow.WorkflowRequest
import io.runledger.model.workflow.WorkflowRunStatus
import kotlinx.coroutines.CompletableDeferred
import kotlinx.coroutines.withTimeout
import java.util.concurrent.atomic.AtomicBoolean
import kotlin.time.Duration.Companion.seconds

private data class Limits(val day: Int)

private val score = JobType.of("score", String::class.java)
private val letter = JobType.of("letter", String::class.java)

class RunContextReadsSpec :
    FunSpec({
        val global = Scope.global()

        fun fresh() = freshLedger().also { it.define(score, letter) }

        fun scored() = WorkflowRequest.builder("score").context(mapOf("limits" to Limits(5), "nothing" to null)).let { workflow ->
            val scored = workflow.job("score", score, "A-1")
            val written = workflow.job("letter") {
                it.runs(letter, "A-1").after(scored).onlyIf(Condition.context("risk").greaterThan(70))
            }
            workflow.result(written).build()
        }

        test("a handler reads what the run was given and what earlier steps contributed") {
            val ledger = fresh()
            val run = ledger.client.workflows.enqueue(scored()).runId()
            val handlers = handlers {
                on(score) { job ->
                    JobOutcome.succeeded("done").contributing("risk", 80).contributing("by", job.readRunContext<Limits>("limits"))
                }
                on(letter) { job ->
                    listOf(
                        job.readRunContext<Int>("risk"),
                        job.readRunContext<Limits>("by")?.day,
                        job.readRunContext<Json>("nothing")?.text(),
                        job.readRunContext<String>("missing"),
                        job.runContext("risk", Int::class.javaObjectType).get(),
                    )
                }
            }

            working(ledger.client, handlers) {
                ledger.client.workflows.awaitRunResult<List<Any?>>(global, run) shouldBe listOf(80, 5, "null", null, 80)
            }
            ledger.client.verify().contradictions().shouldBeEmpty()
        }

        test("what is read as a generic type is what the type says, down to its elements") {
            val ledger = fresh()
            val run = ledger.client.workflows.enqueue(scored()).runId()
            val handlers = handlers {
                on(score) { job ->
                    job.keepCheckpoint(listOf(Limits(1)))
                    val kept = checkNotNull(job.checkpoint<List<Limits>>())
                    JobOutcome.succeeded(mapOf("a" to Limits(2))).contributing("risk", 80)
                        .contributing("all", kept + Limits(3))
                }
                on(letter) { job ->
                    val all = job.readRunContext<List<Limits>>("all").orEmpty() +
                        job.readOutput<Map<String, Limits>>("score").orEmpty().values
                    all.sumOf(Limits::day)
                }
            }

            working(ledger.client, handlers) { ledger.client.workflows.awaitRunResult<Int>(global, run) shouldBe 6 }
        }

        test("an attempt that fails contributes nothing, the one that succeeds after it does") {
            val ledger = fresh()
            val run = ledger.client.workflows.enqueue(scored()).runId()
            val hasFailed = AtomicBoolean()
            val handlers = handlers {
                on(score) { job ->
                    if (hasFailed.compareAndSet(false, true)) error("broken ${job.attempt()}")
                    JobOutcome.succeeded().contributing("risk", job.attempt())
                }
                on(letter) { error("never") }
            }

            working(ledger.client, handlers) {
                ledger.client.workflows.awaitRun(global, run).status() shouldBe WorkflowRunStatus.SUCCEEDED
            }

            ledger.client.workflows.allSteps(global, run).map { "${it.status()}" }.shouldContainExactly("SUCCEEDED", "SKIPPED")
            ledger.client.workflows.get(global, run).context() shouldBe
                Json.of("""{"risk": 2, "limits": {"day": 5}, "nothing": null}""")
        }

        test("a value of another type is refused with a code, and a job that is no step has no context") {
            val ledger = fresh()
            val met = CompletableDeferred<InvalidRequestException>()
            val alone = CompletableDeferred<String?>()
            val handlers = handlers {
                on(score) { job ->
                    if (job.payload() == "alone") {
                        alone.complete(job.readRunContext<String>("limits"))
                    } else {
                        met.complete(shouldThrow<InvalidRequestException> { job.readRunContext<Int>("limits") })
                    }
                    JobOutcome.succeeded().contributing("risk", 1)
                }
                on(letter) { error("never") }
            }
            ledger.client.workflows.enqueue(scored())
            val job = ledger.client.jobs.enqueue(JobRequest.of(score, "alone")).id()

            working(ledger.client, handlers) {
                withTimeout(30.seconds) { met.await() }.code() shouldBe ErrorCode.INVALID_CONTEXT
                withTimeout(30.seconds) { alone.await() } shouldBe null
            }

            ledger.client.jobs.get(global, job).status() shouldBe JobStatus.SUCCEEDED
        }

        test("a contribution that cannot be encoded fails its step with a code") {
            val ledger = fresh()
            val run = ledger.client.workflows.enqueue(scored()).runId()
            val handlers = handlers {
                on(score) { JobOutcome.succeeded().contributing("risk", Unencodable()) }
                on(letter) { error("never") }
            }

            working(ledger.client, handlers) {
                ledger.client.workflows.awaitRun(global, run).status() shouldBe WorkflowRunStatus.COMPLETED_WITH_ERRORS
            }

            ledger.client.workflows.getStep(global, run, "score").lastErrorCode() shouldBe "workflow.invalid_context"
        }
    })

@Suppress("unused")
private class Unencodable {
    val itself: Unencodable get() = this
}

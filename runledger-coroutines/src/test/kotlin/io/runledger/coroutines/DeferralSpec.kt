package io.runledger.coroutines

import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.collections.shouldContainExactly
import io.kotest.matchers.shouldBe
import io.runledger.model.failure.AttemptOutcome
import io.runledger.model.failure.JobFailure
import io.runledger.model.handler.Deferral
import io.runledger.model.handler.JobOutcome
import io.runledger.model.job.JobStatus
import io.runledger.model.job.JobType
import io.runledger.model.json.Json
import io.runledger.model.ledger.Scope
import io.runledger.model.retry.RetryPolicy
import io.runledger.model.workflow.WorkflowRequest
import java.time.Duration
import java.time.Instant
import java.util.concurrent.atomic.AtomicInteger

/** One attempt: if waiting spent it, the job could not end. */
private val patient = JobType.builder("patient", String::class.java).maxAttempts(1).build()

private val flaky =
    JobType.builder("flaky", String::class.java).maxAttempts(2).retryPolicy(RetryPolicy.fixed(Duration.ofMillis(1))).build()

private val often = Deferral.every(Duration.ofMillis(1))

class DeferralSpec :
    FunSpec({
        test("a job asks again and again on its only attempt, and goes on when the condition is met") {
            val ledger = freshLedger()
            ledger.define(patient)
            val id = ledger.enqueue(patient, "Ada")
            val asked = AtomicInteger()
            val handlers = handlers { on(patient) { it.deferUntilMet(often) { asked.incrementAndGet() > 5 } ?: "done" } }

            working(ledger.client, handlers) { it.await("succeeded", id) }

            ledger.job(id).output() shouldBe Json.of("\"done\"")
            ledger.client.jobs.attempts(Scope.everything(), id).map { it.outcome() } shouldContainExactly
                List(5) { AttemptOutcome.INTERRUPTED } + AttemptOutcome.SUCCEEDED
        }

        test("a step that waits keeps its run open on its only attempt, and the next starts when the condition is met") {
            val ledger = freshLedger()
            ledger.define(patient)
            val asked = AtomicInteger()
            val handlers = handlers {
                on(patient) { job ->
                    if (job.payload() == "after") {
                        "asked ${asked.get()} times"
                    } else {
                        job.deferUntilMet(often) { asked.incrementAndGet() > 3 } ?: "met"
                    }
                }
            }
            val run = WorkflowRequest.builder("w").let { workflow ->
                val waiting = workflow.job("waiting", patient, "first")
                val next = workflow.job("next") { it.runs(patient, "after").after(waiting) }
                ledger.client.workflows.enqueue(workflow.result(next).build()).runId()
            }

            working(ledger.client, handlers) {
                ledger.client.workflows.awaitRunResult<String>(Scope.global(), run) shouldBe "asked 4 times"
            }

            val step = ledger.client.workflows.allSteps(Scope.global(), run).first { it.stepKey() == "waiting" }
            ledger.client.jobs.attempts(Scope.everything(), step.job()!!.jobId()!!).map { it.outcome() } shouldContainExactly
                List(3) { AttemptOutcome.INTERRUPTED } + AttemptOutcome.SUCCEEDED
            ledger.client.verify().isSound shouldBe true
        }

        test("a job that waits takes no place, and waits on when its worker is gone") {
            val ledger = freshLedger()
            ledger.define(patient)
            val instant = Instant.now().plusSeconds(3600)
            val waiting = ledger.enqueue(patient, "$instant")
            val oneAtATime = quick { maxConcurrency(1) }
            val handlers = handlers { blocking(patient) { it.deferUntil(Instant.parse(it.payload())) ?: succeeded } }

            working(ledger.client, handlers, oneAtATime) { witness ->
                witness.await("postponed", waiting)
                witness.await("succeeded", ledger.enqueue(patient, "${Instant.EPOCH}"))
            }
            working(ledger.client, handlers, oneAtATime) { it.await("succeeded", ledger.enqueue(patient, "${Instant.EPOCH}")) }

            ledger.job(waiting).status() shouldBe JobStatus.PENDING
            ledger.job(waiting).attempt() shouldBe 1
            ledger.value("SELECT next_run_at >= '$instant' FROM runledger.job_queue WHERE id = '$waiting'") shouldBe "t"
        }

        test("the time since the first attempt of the run decides, however many workers asked") {
            val ledger = freshLedger()
            ledger.define(patient)
            val days = Deferral.every(Duration.ofDays(1)).within(Duration.ofDays(2))
            fun waited(hours: Int, deferral: Deferral) = ledger.enqueue(patient, "Ada").also {
                ledger.run("UPDATE runledger.job_queue SET started_at = now() - interval '$hours hours' WHERE id = '$it'")
            } to deferral
            val (fresh, late, named, lenient) = listOf(
                waited(hours = 30, days),
                waited(hours = 49, days),
                waited(hours = 49, days.orFail("patience.lost", "Enough.")),
                waited(hours = 49, days.orGoOn()),
            )
            val deferrals = mapOf(fresh, late, named, lenient)
            val handlers = handlers {
                on(patient) { job -> job.deferUntilMet(deferrals.getValue(job.jobId())) { false } ?: "went on" }
            }

            working(ledger.client, handlers) { witness ->
                witness.await("postponed", fresh.first)
                (witness.await("dead-lettered", late.first).detail as JobFailure).code() shouldBe "job.deferral_expired"
                (witness.await("dead-lettered", named.first).detail as JobFailure).code() shouldBe "patience.lost"
                witness.await("succeeded", lenient.first)
            }

            // The last check happens when the limit is reached, although the interval is longer.
            ledger.value(
                "SELECT next_run_at = started_at + interval '48 hours' FROM runledger.job_queue WHERE id = '${fresh.first}'",
            ) shouldBe "t"
            ledger.job(lenient.first).output() shouldBe Json.of("\"went on\"")
        }

        test("a condition that cannot be asked is a failure like any other") {
            val ledger = freshLedger()
            ledger.define(flaky)
            val id = ledger.enqueue(flaky, "Ada")

            working(ledger.client, handlers { on(flaky) { it.deferUntilMet(often) { error("no line") } } }) {
                it.await("dead-lettered", id)
                it.of(id).count { told -> told == "retried" } shouldBe 1
            }
        }

        test("two workers ask in turn, never at once") {
            val ledger = freshLedger()
            ledger.define(patient)
            val ids = List(20) { ledger.enqueue(patient, "$it") }
            val asking = ids.associateWith { AtomicInteger() }
            val most = AtomicInteger()
            val handlers = handlers {
                on(patient) { job ->
                    val now = asking.getValue(job.jobId())
                    most.accumulateAndGet(now.incrementAndGet(), ::maxOf)
                    (job.deferUntilMet(often) { job.attempt() > 10 } ?: "done").also { now.decrementAndGet() }
                }
            }

            working(ledger.client, handlers) { first ->
                working(ledger.client, handlers) { second ->
                    until("all are done") {
                        listOf(first, second).sumOf { it.told.count { told -> told.what == "succeeded" } } == ids.size
                    }
                }
            }

            most.get() shouldBe 1
            ids.map { ledger.job(it).attempt() }.distinct() shouldContainExactly listOf(11)
        }
    })

private val succeeded = JobOutcome.succeeded()

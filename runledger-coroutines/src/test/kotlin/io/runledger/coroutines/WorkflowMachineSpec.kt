package io.runledger.coroutines

import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.collections.shouldBeEmpty
import io.kotest.matchers.collections.shouldContainExactly
import io.kotest.matchers.nulls.shouldNotBeNull
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import io.runledger.model.job.JobType
import io.runledger.model.json.Json
import io.runledger.model.ledger.Scope
import io.runledger.model.retry.StepRetries
import io.runledger.model.run.RetryFailedRequest
import io.runledger.model.workflow.WorkflowRequest
import io.runledger.model.workflow.WorkflowRunStatus
import java.util.UUID
import java.util.concurrent.ConcurrentLinkedQueue
import kotlin.time.Duration.Companion.days

private sealed interface Loaf {
    data class Knead(val flour: String) : Loaf

    data class Rise(val flour: String, val hours: Int) : Loaf

    data class Bake(val flour: String) : Loaf
}

private val loaf = JobType.of("loaf", Loaf::class.java)
private val shelve = JobType.of("shelve", String::class.java)
private val everything = Scope.everything()

/** A loaf that is a machine, and a shelf that waits for it. */
private fun bakery(): WorkflowRequest = WorkflowRequest.builder("bakery").let { workflow ->
    val baked = workflow.job("loaf") { it.runs(loaf, Loaf.Knead("rye")).mayContinue() }
    workflow.result(workflow.job("shelve") { it.runs(shelve, "top").after(baked) }).build()
}

class WorkflowMachineSpec :
    FunSpec({
        fun fresh() = freshLedger().also { it.define(loaf, shelve) }

        fun TestLedger.start(): UUID = client.workflows.enqueue(bakery()).runId()

        fun TestLedger.machineOf(run: UUID): UUID = UUID.fromString(
            value("SELECT job_id FROM runledger.workflow_steps WHERE workflow_run_id = '$run' AND step_key = 'loaf'"),
        )

        fun baking(steps: StepMachineScope<Loaf>.() -> Unit): Handlers = handlers {
            machine(stepMachine(loaf, steps))
            on(shelve) { job -> "${job.readOutput<String>("loaf")} for ${job.readRunContext<List<Int>>("prices")?.sum()}" }
        }

        test("a machine goes to its end inside its step, contributes there, and only then sets free what waits for it") {
            val ledger = fresh()
            val run = ledger.start()
            val handlers = baking {
                on<Loaf.Knead> { goTo(Loaf.Rise(it.flour, 1)) }
                on<Loaf.Rise> { goTo(Loaf.Bake(it.flour)) }
                on<Loaf.Bake> { done("${it.flour} bread").contributing("prices", listOf(1, 2)) }
            }

            working(ledger.client, handlers) {
                ledger.client.workflows.awaitRunResult<String>(everything, run) shouldBe "rye bread for 3"
            }

            ledger.client.jobs.path(everything, ledger.machineOf(run)).map { "$it" } shouldContainExactly
                listOf("Knead -> Rise", "Rise -> Bake")
            ledger.client.verify().contradictions().shouldBeEmpty()
        }

        test("a run that is retried lets its machine go on at the step that failed, with its stored values") {
            val ledger = fresh()
            val run = ledger.start()
            val done = ConcurrentLinkedQueue<String>()
            fun oven(isBroken: Boolean) = baking {
                on<Loaf.Knead> { goTo(Loaf.Rise(it.flour, 9)).also { done += "kneaded" } }
                on<Loaf.Rise>(StepRetries.atMost(1)) {
                    if (isBroken) error("too cold")
                    goTo(Loaf.Bake("${it.hours}h ${it.flour}"))
                }
                on<Loaf.Bake> { done(it.flour).contributing("prices", listOf(4)) }
            }
            working(ledger.client, oven(isBroken = true)) {
                ledger.client.workflows.awaitRun(everything, run).status() shouldBe WorkflowRunStatus.COMPLETED_WITH_ERRORS
            }
            val parked = ledger.machineOf(run)

            ledger.client.workflows.retryFailed(everything, RetryFailedRequest(run, "warm", "The oven is warm."))
            working(ledger.client, oven(isBroken = false)) {
                ledger.client.workflows.awaitRunResult<String>(everything, run) shouldBe "9h rye for 4"
            }

            done.toList() shouldContainExactly listOf("kneaded")
            ledger.client.jobs.path(everything, parked).map { "$it" } shouldContainExactly listOf("Knead -> Rise")
            ledger.client.jobs.path(everything, ledger.machineOf(run)).map { "$it" } shouldContainExactly listOf("Rise -> Bake")
            ledger.job(parked).lastErrorMessage().shouldNotBeNull() shouldContain "too cold"
        }

        test("a person may put a machine that waits inside a run at another step") {
            val ledger = fresh()
            val run = ledger.start()
            val handlers = baking {
                on<Loaf.Knead> { goTo(Loaf.Rise(it.flour, 9), 3.days) }
                on<Loaf.Rise> { error("never") }
                on<Loaf.Bake> { done(it.flour) }
            }
            working(ledger.client, handlers) { it.await("postponed", ledger.machineOf(run)) }

            ledger.client.workflows.editPayload(everything, run, "loaf", loaf, Loaf.Bake("flat"), "No time to wait.")
            ledger.run("UPDATE runledger.job_queue SET next_run_at = now()")
            working(ledger.client, handlers) {
                ledger.client.workflows.awaitRunResult<String>(everything, run) shouldBe "flat for null"
            }

            ledger.client.workflows.getStep(everything, run, "loaf").output() shouldBe Json.of("\"flat\"")
            val before = "SELECT payload->'previous_payload' FROM runledger.workflow_step_events WHERE event_type = 'EDITED'"
            ledger.value(before) shouldBe """{"@type": "Rise", "flour": "rye", "hours": 9}"""
        }
    })

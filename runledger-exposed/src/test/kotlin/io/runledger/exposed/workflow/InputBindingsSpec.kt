package io.runledger.exposed.workflow

import io.kotest.assertions.withClue
import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.collections.shouldContainExactly
import io.kotest.matchers.collections.shouldNotBeEmpty
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import io.runledger.exposed.shouldRefuse
import io.runledger.exposed.stepInputs
import io.runledger.model.error.ErrorCode
import io.runledger.model.json.Json
import io.runledger.model.ledger.Scope
import io.runledger.model.render.WorkflowGraph
import io.runledger.model.run.GateCompletion
import io.runledger.model.run.RecoveryRequest
import io.runledger.model.run.RetryFailedRequest
import io.runledger.model.run.StepOutput
import io.runledger.model.workflow.AppendRequest
import io.runledger.model.workflow.Input
import io.runledger.model.workflow.JobRef
import io.runledger.model.workflow.StepRef
import io.runledger.model.workflow.StepRequest
import io.runledger.model.workflow.StepsBuilder
import io.runledger.model.workflow.Upstream
import io.runledger.model.workflow.WorkflowRequest
import io.runledger.model.workflow.WorkflowStepStatus
import java.util.UUID
import kotlin.random.Random

private val receipt = Input.json("receipt")
private val parcels = Input.json("parcels")

/** The dependencies and input names of a workflow, without everything else. */
private typealias Bindings = Set<Triple<String, String, String?>>

private fun StepsBuilder.order(input: Input<*> = receipt) {
    val charged = work("charge")
    val picked = listOf("b", "a").map { work("pick-$it") }
    val approved = gate("approval")
    work("ship") { uses(charged, input).uses(picked, parcels).after(approved) }
}

/** A graph in which some edges carry an input, under one of a few names. */
private fun randomOrder(random: Random): WorkflowRequest = workflow {
    val window = gate("window")
    val steps = mutableListOf<StepRef>(window)
    repeat(random.nextInt(1, 25)) { n -> steps += randomStep("s$n", steps, random) }
}

private fun StepsBuilder.randomStep(key: String, earlier: List<StepRef>, random: Random): StepRef = work(key) {
    earlier.shuffled(random).take(random.nextInt(4)).forEach {
        when (random.nextInt(3)) {
            0 -> after(it)
            1 -> after(it.onTerminal())
            else -> uses(it, Input.json(listOf("receipt", "parcels", "über 'x' \"y\" \\z", "漢😀").random(random)))
        }
    }
}

class InputBindingsSpec :
    FunSpec({
        val flow = flow()
        val everything = Scope.everything()
        val workflows = flow.client.workflows

        beforeTest { flow.cancelEverything() }

        fun asked(steps: List<StepRequest>): Bindings =
            steps.flatMap { step -> step.dependencies().map { Triple(it.step(), step.key(), it.inputName()) } }.toSet()

        fun stored(run: UUID): Bindings {
            val keys = workflows.allSteps(everything, run).associate { it.id() to it.stepKey() }
            return workflows.dependencies(everything, run).items().map {
                Triple(keys.getValue(it.prerequisiteStepId()), keys.getValue(it.dependentStepId()), it.inputName())
            }.toSet()
        }

        test("a binding is stored with its dependency and told by every read") {
            val run = flow.start { order() }

            stored(run) shouldBe setOf(
                Triple("charge", "ship", "receipt"),
                Triple("pick-b", "ship", "parcels"),
                Triple("pick-a", "ship", "parcels"),
                Triple("approval", "ship", null),
            )
            workflows.story(everything, run).dependencies().mapNotNull { it.inputName() }.sorted() shouldContainExactly
                listOf("parcels", "parcels", "receipt")
            WorkflowGraph.of(workflows.story(everything, run)).tree() shouldContain "(receipt)"
        }

        test("a running step is told what its prerequisites left, and as what, in the order they were declared") {
            val run = flow.start { order() }
            flow.claim().forEach { (key, job) -> flow.succeed(job, Json.of("\"$key\"")) }
            workflows.completeGate(everything, GateCompletion.succeeded(run, "approval", Json.of("true")))

            val ship = flow.claim().getValue("ship")

            fun left(key: String, output: String, input: String?) =
                StepOutput(key, WorkflowStepStatus.SUCCEEDED, Json.of(output), input)
            flow.client.stepInputs.prerequisites(ship.lease().jobId()) shouldContainExactly listOf(
                left("charge", "\"charge\"", "receipt"),
                left("pick-b", "\"pick-b\"", "parcels"),
                left("pick-a", "\"pick-a\"", "parcels"),
                left("approval", "true", null),
            )
        }

        test("the same key with the same inputs is the same run, with others a conflict") {
            fun request(input: Input<*>) = workflow {
                idempotencyKey("inputs/1")
                order(input)
            }
            val run = workflows.enqueue(request(receipt)).runId()

            workflows.enqueue(request(receipt)).runId() shouldBe run
            shouldRefuse(ErrorCode.WORKFLOW_IDEMPOTENCY_CONFLICT) { workflows.enqueue(request(Input.json("invoice"))) }
        }

        test("appended steps may use old ones and each other, and another input is another append") {
            val run = flow.start { order() }
            fun append(input: Input<*>) = AppendRequest.builder(run, "gift", "approval").apply {
                val wrapped = work("wrap") { uses(Upstream.named("charge"), receipt) }
                work("send") { uses(wrapped, input) }
            }.build()
            workflows.append(everything, append(parcels))

            (Triple("charge", "wrap", "receipt") in stored(run)) shouldBe true
            (Triple("wrap", "send", "parcels") in stored(run)) shouldBe true
            workflows.append(everything, append(parcels)).isNew shouldBe false
            shouldRefuse(ErrorCode.APPEND_CONFLICT) { workflows.append(everything, append(receipt)) }
        }

        test("a retry keeps the bindings") {
            val run = flow.start { order() }
            val before = stored(run)
            flow.claim().forEach { (key, job) -> if (key == "charge") flow.fail(job) else flow.succeed(job) }
            flow.complete(run, "approval")

            workflows.retryFailed(everything, RetryFailedRequest(run, "again", "mended")).stepKeys() shouldContainExactly
                listOf("charge", "ship")
            stored(run) shouldBe before
        }

        test("whatever is bound in a run and its appends is stored, and comes back in a recovery") {
            val seed = System.getProperty("runledger.seed")?.toLong() ?: Random.nextLong()
            withClue("seed $seed") {
                val random = Random(seed)
                val requests = List(40) { randomOrder(random) }
                val runs = workflows.enqueueAll(requests).map { it.runId() }
                val appends = runs.zip(requests).map { (run, request) ->
                    AppendRequest.builder(run, "more", "window").apply {
                        val earlier = request.steps().map { JobRef(it.key()) }
                        val late = randomStep("late-1", earlier, random)
                        randomStep("late-2", earlier + late, random)
                    }.build().also { workflows.append(everything, it) }
                }
                val expected = requests.zip(appends).map { (request, append) -> asked(request.steps()) + asked(append.steps()) }

                runs.map(::stored) shouldContainExactly expected
                expected.flatten().mapNotNull { it.third }.toSet().shouldNotBeEmpty()
                runs.forEach { workflows.cancel(everything, it) }
                runs.map {
                    stored(workflows.recover(everything, RecoveryRequest.of(it, "r", "again")).runId())
                } shouldContainExactly
                    expected
            }
        }
    })

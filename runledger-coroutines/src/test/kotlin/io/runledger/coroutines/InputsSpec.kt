package io.runledger.coroutines

import io.kotest.assertions.throwables.shouldThrow
import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.collections.shouldContainExactly
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import io.runledger.model.error.InvalidRequestException
import io.runledger.model.failure.JobFailure
import io.runledger.model.handler.JobContext
import io.runledger.model.handler.JobOutcome
import io.runledger.model.job.JobType
import io.runledger.model.ledger.Scope
import io.runledger.model.run.GateCompletion
import io.runledger.model.run.RecoveryRequest
import io.runledger.model.run.RetryFailedRequest
import io.runledger.model.workflow.AppendRequest
import io.runledger.model.workflow.Input
import io.runledger.model.workflow.JobRef
import io.runledger.model.workflow.Upstream
import io.runledger.model.workflow.WorkflowRequest
import io.runledger.model.workflow.WorkflowRunStatus
import kotlinx.coroutines.CompletableDeferred
import kotlinx.coroutines.withTimeout
import java.lang.reflect.ParameterizedType
import java.lang.reflect.Type
import java.util.UUID
import java.util.concurrent.atomic.AtomicBoolean
import kotlin.time.Duration.Companion.seconds

private data class Receipt(val order: String, val cents: Long)
private data class Parcel(val item: String)
private data class Consent(val by: String)
private data class Label(val receipt: Receipt, val parcels: List<Parcel>, val by: String)

private val receipt = Input.of("receipt", Receipt::class.java)
private val parcels = Input.of("parcels", Parcel::class.java)
private val consent = Input.of("consent", Consent::class.java)

private val charge = JobType.of("charge", String::class.java)
private val pick = JobType.of("pick", String::class.java)
private val ship = JobType.of("ship", String::class.java)

/** Charge, pick in parallel, wait for an approval, ship with all three. */
private fun order(number: String, items: List<String>): WorkflowRequest {
    val order = WorkflowRequest.builder("order")
    val charged = order.job("charge-$number", charge, number)
    val picked: List<JobRef> = items.map { order.job("pick-$it", pick, it) }
    val consented = order.externalGate("consent-$number")
    val shipped = order.job("ship") {
        it.runs(ship, number).uses(charged, receipt).uses(picked, parcels).uses(consented, consent)
    }
    return order.result(shipped).build()
}

private val shop = handlers {
    on(charge) { job -> Receipt(job.payload(), 4_990) }
    on(pick) { job -> Parcel(job.payload()) }
    on(ship) { job -> Label(job.readInput(receipt), job.readInputs(parcels), job.readInput(consent).by) }
}

class InputsSpec :
    FunSpec({
        val global = Scope.global()

        fun fresh() = freshLedger().also { it.define(charge, pick, ship) }

        fun TestLedger.start(workflow: WorkflowRequest): UUID = client.workflows.enqueue(workflow).runId()

        fun TestLedger.consentTo(run: UUID, number: String) {
            client.workflows.completeGate(global, GateCompletion.succeeded(run, "consent-$number", Consent("Ada")))
        }

        suspend fun TestLedger.label(run: UUID): Label? = client.workflows.awaitRunResult<Label>(global, run)

        /** The result of a handler that calls [read] in a run of [workflow]. */
        suspend fun refusal(workflow: WorkflowRequest, read: (JobContext<*>) -> Unit): InvalidRequestException {
            val met = CompletableDeferred<InvalidRequestException>()
            val reading = handlers {
                on(charge) { JobOutcome.succeeded() }
                on(pick) { job -> Parcel(job.payload()) }
                on(ship) { job -> met.complete(shouldThrow<InvalidRequestException> { read(job) }) }
            }
            val ledger = fresh()
            ledger.start(workflow)
            working(ledger.client, reading) { met.soon() }
            return met.await()
        }

        test("a handler gets one output, a list in the order declared, and what a gate was completed with") {
            val ledger = fresh()
            val run = ledger.start(order("A-1", listOf("lamp", "bulb", "shade")))
            ledger.consentTo(run, "A-1")

            working(ledger.client, shop) {
                ledger.label(run) shouldBe
                    Label(Receipt("A-1", 4_990), listOf(Parcel("lamp"), Parcel("bulb"), Parcel("shade")), "Ada")
            }
        }

        test("the same handler serves another workflow with other step keys, and a fan-in over nothing is an empty list") {
            val ledger = fresh()
            val run = ledger.start(order("B-2", emptyList()))
            ledger.consentTo(run, "B-2")

            working(ledger.client, shop) { ledger.label(run) shouldBe Label(Receipt("B-2", 4_990), emptyList(), "Ada") }
        }

        test("an appended step gets what old and new steps left") {
            val ledger = fresh()
            val workflows = ledger.client.workflows
            val start = WorkflowRequest.builder("order")
            start.job("charged-before", charge, "C-3")
            start.externalGate("consent-C-3")
            val run = ledger.start(start.build())
            val more = AppendRequest.builder(run, "gift", "consent-C-3")
            val card = more.job("pick-card", pick, "card")
            more.job("ship-late") {
                it.runs(ship, "C-3").uses(Upstream.named("charged-before"), receipt).uses(listOf(card), parcels)
                    .uses(Upstream.named("consent-C-3"), consent)
            }
            workflows.append(global, more.build())
            ledger.consentTo(run, "C-3")

            working(ledger.client, shop) { workflows.awaitRun(global, run).status() shouldBe WorkflowRunStatus.SUCCEEDED }

            workflows.getStep(global, run, "ship-late").output()!!.text() shouldContain "card"
        }

        test("inputs arrive after a retry in the same run and after a recovery in a new one") {
            val isBroken = AtomicBoolean(true)
            val flaky = handlers {
                on(charge) { job ->
                    if (isBroken.get()) JobOutcome.failed("bank.down", "No answer.") else Receipt(job.payload(), 1)
                }
                on(pick) { job -> Parcel(job.payload()) }
                on(ship) { job -> Label(job.input(receipt), job.inputs(parcels), job.input(consent).by) }
            }
            val ledger = fresh()
            val workflows = ledger.client.workflows
            val run = ledger.start(order("D-4", listOf("lamp")))
            ledger.consentTo(run, "D-4")

            working(ledger.client, flaky) {
                workflows.awaitRun(global, run).status() shouldBe WorkflowRunStatus.COMPLETED_WITH_ERRORS
                isBroken.set(false)
                val again = workflows.recover(global, RecoveryRequest.of(run, "r", "The bank is back.")).runId()
                ledger.consentTo(again, "D-4")
                ledger.label(again) shouldBe Label(Receipt("D-4", 1), listOf(Parcel("lamp")), "Ada")
                workflows.retryFailed(global, RetryFailedRequest(run, "again", "The bank is back."))
                ledger.label(run) shouldBe Label(Receipt("D-4", 1), listOf(Parcel("lamp")), "Ada")
            }
        }

        test("an input that nobody bound is refused with the step, the job type and what to do") {
            val plain = WorkflowRequest.builder("order")
            val picked = plain.job("pick-lamp", pick, "lamp")
            plain.job("ship-plain") { it.runs(ship, "E-5").uses(picked, parcels) }

            val refused = refusal(plain.build()) { it.input(receipt) }

            refused.code().wire() shouldBe "workflow.input_unavailable"
            refused.message!! shouldContain
                "Step 'ship-plain' of job type 'ship' has no input 'receipt': declare uses(step, input)"
            refused.message!! shouldContain "It has: 'parcels'."
        }

        test("one is wanted and several are bound") {
            val wide = WorkflowRequest.builder("order")
            val picked = listOf("lamp", "bulb").map { wide.job("pick-$it", pick, it) }
            wide.job("ship") { it.runs(ship, "F-6").uses(picked, parcels) }

            val refused = refusal(wide.build()) { it.input(parcels) }

            refused.code().wire() shouldBe "workflow.input_unavailable"
            refused.message!! shouldContain "from each of 'pick-lamp', 'pick-bulb': read them all with inputs"
        }

        test("a step that returned nothing gives no input") {
            val silent = WorkflowRequest.builder("order")
            val charged = silent.job("charge", charge, "G-7")
            silent.job("ship") { it.runs(ship, "G-7").uses(charged, receipt) }

            val refused = refusal(silent.build()) { it.inputs(receipt) }

            refused.code().wire() shouldBe "workflow.input_unavailable"
            refused.message!! shouldContain "from step 'charge', which ended as SUCCEEDED and has no output"
        }

        test("an output of another shape is refused as such") {
            val odd = WorkflowRequest.builder("order")
            val picked = odd.job("pick-lamp", pick, "lamp")
            odd.job("ship") { it.runs(ship, "H-8").uses(picked, Input.of("count", Int::class.javaObjectType)) }

            refusal(odd.build()) { it.input(Input.of("count", Int::class.javaObjectType)) }.code().wire() shouldBe
                "job.invalid_output"
        }

        test("a job that is no step has no inputs, and asking for one ends it with the code") {
            val ledger = fresh()
            val id = ledger.enqueue(ship, "I-9")

            working(ledger.client, shop) {
                val failure = it.await("dead-lettered", id).detail as JobFailure
                failure.code() shouldBe "workflow.input_unavailable"
                failure.message() shouldContain "This job of job type 'ship' has no input 'receipt'"
            }
        }

        test("primitive and generic inputs are decoded") {
            val counts = Input.of<Map<String, Int>>("counts", object : TypeOf<Map<String, Int>>() {}.type)
            val number = Input.of("number", Int::class.java)
            val read = CompletableDeferred<Pair<Map<String, Int>, Int>>()
            val mixed = WorkflowRequest.builder("order")
            val first = mixed.job("first", charge, "counts")
            val second = mixed.job("second", pick, "number")
            mixed.job("ship") { it.runs(ship, "J-10").uses(first, counts).uses(second, number) }
            val handlers = handlers {
                on(charge) { mapOf("lamp" to 2) }
                on(pick) { 7 }
                on(ship) { job -> read.complete(job.input(counts) to job.input(number)) }
            }
            val ledger = fresh()
            ledger.start(mixed.build())

            working(ledger.client, handlers) { read.soon() shouldBe (mapOf("lamp" to 2) to 7) }
        }

        test("asking again gives the same, in the order of declaration and not of use") {
            val asked = CompletableDeferred<List<List<Parcel>>>()
            val wide = WorkflowRequest.builder("order")
            val picked = listOf("lamp", "bulb").map { wide.job("pick-$it", pick, it) }
            wide.job("ship") { it.runs(ship, "K-11").uses(picked.reversed(), parcels) }
            val handlers = handlers {
                on(pick) { job -> Parcel(job.payload()) }
                on(ship) { job -> asked.complete(listOf(job.inputs(parcels), job.readInputs(parcels))) }
            }
            val ledger = fresh()
            ledger.start(wide.build())

            working(ledger.client, handlers) {
                asked.soon() shouldContainExactly List(2) { listOf(Parcel("lamp"), Parcel("bulb")) }
            }
        }
    })

private suspend fun <T> CompletableDeferred<T>.soon(): T = withTimeout(30.seconds) { await() }

private abstract class TypeOf<T> {
    val type: Type = (javaClass.genericSuperclass as ParameterizedType).actualTypeArguments.single()
}

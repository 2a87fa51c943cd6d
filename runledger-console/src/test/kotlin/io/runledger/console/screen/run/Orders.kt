package io.runledger.console.screen.run

import io.runledger.console.ConsoleBench
import io.runledger.coroutines.Handlers
import io.runledger.coroutines.handlers
import io.runledger.model.condition.Condition
import io.runledger.model.handler.JobOutcome
import io.runledger.model.job.JobType
import io.runledger.model.json.Json
import io.runledger.model.workflow.GateExpiry
import io.runledger.model.workflow.WorkflowRequest
import java.time.Duration
import java.util.UUID

val pick: JobType<Json> = JobType.builder("pick", Json::class.java).maxAttempts(1).build()
val ship: JobType<Json> = JobType.builder("ship", Json::class.java).maxAttempts(1).build()

/** Picks every item but those that are out of stock. */
val warehouse: Handlers = handlers {
    on(pick) { job ->
        if ("out-of-stock" in job.payload().text()) {
            JobOutcome.failed("stock.empty", "no <b>bolts</b> left")
        } else {
            JobOutcome.succeeded(Json.of("""{"picked":true,"apiKey":"s3cret-output"}"""))
        }
    }
    on(ship) { JobOutcome.succeeded() }
}

/** An order: many picks, a gate, a shipment, and a note that is skipped. */
fun order(picks: Int = 3, failing: Boolean = false, settings: WorkflowRequest.Builder.() -> Unit = {}): WorkflowRequest {
    val order = WorkflowRequest.builder("order")
    val start = order.job("reserve", pick, Json.of("""{"customer":42,"password":"s3cret-payload"}"""))
    val all = List(picks) { n ->
        order.job("pick-$n") { step ->
            step.runs(pick, Json.of(if (failing && n == 1) """{"item":"out-of-stock"}""" else """{"item":$n}""")).after(start)
        }
    }
    val approval = order.externalGate("approval") { it.after(all).expiresAfter(Duration.ofDays(2), GateExpiry.CANCELED) }
    val shipment = order.job("ship") { it.runs(ship, Json.EMPTY_OBJECT).after(approval) }
    order.job("apologize") { it.runs(ship, Json.EMPTY_OBJECT).after(start).onlyIf(Condition.context("late").equalTo(true)) }
    order.context(Json.of("""{"late":false,"token":"s3cret-context"}""")).metadata(Json.of("""{"source":"shop"}"""))
    order.header("trace-id", "t-1").header("authorization", "s3cret-header").result(shipment)
    order.settings()
    return order.build()
}

fun ConsoleBench.start(request: WorkflowRequest): UUID {
    client.definitions.sync(listOf(pick, ship))
    return client.workflows.enqueue(request).runId()
}

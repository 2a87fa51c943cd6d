package io.runledger.samples

import io.runledger.coroutines.Handlers
import io.runledger.coroutines.handlers
import io.runledger.dsl.StepsScope
import io.runledger.dsl.input
import io.runledger.dsl.jobType
import io.runledger.dsl.workflow
import io.runledger.model.workflow.JobRef
import io.runledger.model.workflow.Upstream
import io.runledger.model.workflow.WorkflowRequest
import kotlin.time.Duration.Companion.days
import kotlin.time.Duration.Companion.milliseconds
import kotlin.time.Duration.Companion.minutes
import kotlin.time.Duration.Companion.seconds

data class Charge(val order: String, val cents: Long)

data class Pick(val order: String, val item: String)

data class OrderRef(val order: String)

data class Receipt(val order: String, val cents: Long)

data class Parcel(val item: String)

data class Shipment(val order: String, val worth: Long, val parcels: List<Parcel>)

/** Declared once; producer and worker share it. */
object OrderJobs {
    val charge = jobType<Charge>("orders.charge") {
        maxAttempts(5)
        timeout(1.minutes)
        retryPolicy { exponential(2.seconds, 2.0) }
    }
    val pick = jobType<Pick>("orders.pick") {
        retryPolicy { fixed(500.milliseconds) }
    }
    val ship = jobType<OrderRef>("orders.ship")
    val refund = jobType<OrderRef>("orders.refund")

    val receipt = input<Receipt>("receipt")
    val parcel = input<Parcel>("parcel")
}

/** Charge, wait for an approval, pick every item in parallel, ship. Refund if the approval is refused or expires. */
fun orderFulfilment(order: String, cents: Long, items: List<String>): WorkflowRequest = workflow("orders.fulfil") {
    idempotencyKey("fulfil/$order")
    val charged = job("charge") { runs(OrderJobs.charge, Charge(order, cents)) }
    val approved = externalGate("approval") {
        after(charged)
        expiresAfter(3.days)
    }
    val picked = items.map { item -> pick(order, item, approved) }
    val shipped = job("ship") {
        runs(OrderJobs.ship, OrderRef(order))
        uses(charged, OrderJobs.receipt)
        uses(picked, OrderJobs.parcel)
    }
    job("refund") {
        runs(OrderJobs.refund, OrderRef(order))
        uses(charged, OrderJobs.receipt)
        after(approved.onFailure())
    }
    result(shipped)
}

/** A fragment for a new workflow and for appending to a live run. */
fun StepsScope.pick(order: String, item: String, start: Upstream): JobRef = job("pick-$item") {
    runs(OrderJobs.pick, Pick(order, item))
    after(start)
}

/** Later steps use the return values of handlers. No handler refers to a step by name. */
val orderHandlers: Handlers = handlers {
    on(OrderJobs.charge) { job -> Receipt(job.payload().order, job.payload().cents) }
    on(OrderJobs.pick) { job -> Parcel(job.payload().item) }
    on(OrderJobs.ship) { job ->
        val paid = job.readInput(OrderJobs.receipt)
        Shipment(paid.order, worth = paid.cents, parcels = job.readInputs(OrderJobs.parcel))
    }
    on(OrderJobs.refund) { job -> "refunded ${job.readInput(OrderJobs.receipt).cents}" }
}

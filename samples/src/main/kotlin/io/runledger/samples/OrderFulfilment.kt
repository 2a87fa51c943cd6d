package io.runledger.samples

import io.runledger.dsl.jobType
import io.runledger.dsl.workflow
import io.runledger.model.policy.RetryPolicy
import io.runledger.model.spec.WorkflowRequest
import java.time.Duration
import kotlin.time.Duration.Companion.days
import kotlin.time.Duration.Companion.minutes

data class Charge(val order: String, val cents: Long)

data class Pick(val order: String, val item: String)

data class OrderRef(val order: String)

/** Declared once; producer and worker share it. */
object OrderJobs {
    val charge = jobType<Charge>("orders.charge") {
        maxAttempts(5)
        timeout(1.minutes)
        retryPolicy(RetryPolicy.exponential(Duration.ofSeconds(2), 2.0))
    }
    val pick = jobType<Pick>("orders.pick") {
        retryPolicy(RetryPolicy.fixed(Duration.ofMillis(500)))
    }
    val ship = jobType<OrderRef>("orders.ship")
    val refund = jobType<OrderRef>("orders.refund")
}

/** Charge, let a person approve, pick every item in parallel, ship; refund when the approval is refused or nobody answers. */
fun orderFulfilment(order: String, cents: Long, items: List<String>): WorkflowRequest = workflow("orders.fulfil") {
    idempotencyKey("fulfil/$order")
    val charged = job("charge") { runs(OrderJobs.charge, Charge(order, cents)) }
    val approved = externalGate("approval") {
        after(charged)
        expiresAfter(3.days)
    }
    val picked = items.map { item ->
        job("pick-$item") {
            runs(OrderJobs.pick, Pick(order, item))
            after(approved)
        }
    }
    val shipped = job("ship") {
        runs(OrderJobs.ship, OrderRef(order))
        after(picked)
    }
    job("refund") {
        runs(OrderJobs.refund, OrderRef(order))
        after(charged, approved.onFailure())
    }
    result(shipped)
}

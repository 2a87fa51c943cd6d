package io.runledger.samples

import io.runledger.coroutines.Handlers
import io.runledger.coroutines.handlers
import io.runledger.dsl.jobType
import io.runledger.model.handler.Deferral
import java.time.Duration
import java.time.Instant

data class Backorder(val item: String, val notBefore: Instant)

interface Stock {
    fun has(item: String): Boolean
    fun ship(item: String): String
}

val shipBackorder = jobType<Backorder>("orders.backorder")

/** Checks every ten minutes, for at most three days. */
val restock: Deferral = Deferral.every(Duration.ofMinutes(10))
    .within(Duration.ofDays(3))
    .orFail("stock.missing", "No goods arrived for three days.")

/** Waits for its day, then for the goods, then ships. A waiting order uses neither a slot of the worker nor an attempt. */
fun backorders(stock: Stock): Handlers = handlers {
    on(shipBackorder) { job ->
        val order = job.payload()
        job.deferUntil(order.notBefore)
            ?: job.deferUntilMet(restock) { stock.has(order.item) }
            ?: stock.ship(order.item)
    }
}

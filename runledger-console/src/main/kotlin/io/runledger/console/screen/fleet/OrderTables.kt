package io.runledger.console.screen.fleet

import io.runledger.console.action.orderActions
import io.runledger.console.content.inWords
import io.runledger.console.page.Columns
import io.runledger.console.page.ledgerText
import io.runledger.console.page.listing
import io.runledger.console.page.moment
import io.runledger.console.page.mono
import io.runledger.console.page.pager
import io.runledger.console.visit.Visit
import io.runledger.model.fleet.WorkerOrder
import kotlinx.html.FlowContent
import kotlinx.html.h3
import java.time.Instant

/** The orders in effect. */
internal fun FlowContent.standingOrders(visit: Visit) {
    val orders = visit.snapshot("standing orders") { visit.reads.workers.standingOrders() }
    h3 { +"In effect" }
    listing("Standing orders, oldest first", orders.take(MOST_STANDING), "No order is in effect.") {
        given()
        column("Ends") { if (it.endsAt() == null) +"when it is lifted" else moment(it.endsAt()) }
        column("Action") { orderActions(visit, it) }
    }
}

/** All orders, newest first. */
internal fun FlowContent.orderHistory(visit: Visit) {
    val after = visit.query["orders"]
    val orders = visit.snapshot("orders $after") { visit.reads.workers.orders(PAGE, after) }
    h3 { +"All orders" }
    listing("Orders, newest first", orders.items(), "No order was given.") {
        given()
        column("Ended") { order ->
            val lifting = order.lifted()
            when {
                order.isStanding -> +"in effect"

                lifting == null -> +"–"

                else -> {
                    moment(lifting.at())
                    +" by "
                    ledgerText(lifting.by())
                    +": "
                    ledgerText(lifting.reason())
                }
            }
        }
    }
    pager(visit, orders, "orders")
}

private fun Columns<WorkerOrder>.given() {
    val now = Instant.now()
    column("Order") { +it.kind().inWords() }
    column("Workers") { if (it.label() == null) +"all" else mono(it.label()) }
    column("Reason") { ledgerText(it.reason()) }
    column("By") { ledgerText(it.orderedBy()) }
    column("Given") { moment(it.orderedAt(), now) }
}

private const val PAGE = 20
private const val MOST_STANDING = 200

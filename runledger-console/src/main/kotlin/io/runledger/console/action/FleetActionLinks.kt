package io.runledger.console.action

import io.runledger.console.access.ConsoleRole
import io.runledger.console.form.actionLinks
import io.runledger.console.visit.Visit
import io.runledger.model.definition.JobDefinition
import io.runledger.model.fleet.Worker
import io.runledger.model.fleet.WorkerOrder
import io.runledger.model.flow.QueueState
import io.runledger.model.flow.StoredLimit
import kotlinx.html.FlowContent
import kotlinx.html.a
import kotlinx.html.div

/** Links to the actions that the user may take on all workers, or on those with a label of [worker]. */
internal fun FlowContent.workerActions(visit: Visit, worker: Worker? = null) {
    if (!visit.may(ConsoleRole.ADMINISTRATOR)) return
    div("actions") {
        (worker?.labels()?.sorted() ?: listOf(null)).forEach { label ->
            Actions.ofFleet.forEach { action ->
                val fleet = Fleet(label, emptyList())
                a(href = visit.link(action.address(fleet)), classes = "button") {
                    +if (label == null) action.label else "${action.label} with the label “$label”"
                }
            }
        }
        if (worker == null) Actions.ofOrders.forEach { a(href = visit.link(it.path), classes = "button") { +it.label } }
    }
}

/** A link to lift [order] while it stands. */
internal fun FlowContent.orderActions(visit: Visit, order: WorkerOrder) = actionLinks(visit, order, Actions.ofOrder)

/** Links to the actions that the user may take on the type of [definition]. */
internal fun FlowContent.typeActions(visit: Visit, definition: JobDefinition) = actionLinks(visit, definition, Actions.ofType)

/** Links to the actions that the user may take on a limit. */
internal fun FlowContent.limitActions(visit: Visit, limit: StoredLimit) = actionLinks(visit, limit, Actions.ofLimit)

/** Links to the actions that the user may take on a queue. */
internal fun FlowContent.queueActions(visit: Visit, queue: QueueState) = actionLinks(visit, queue, Actions.ofQueue)

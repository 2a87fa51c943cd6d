package io.runledger.console.action

import io.runledger.console.access.ConsoleRole
import io.runledger.console.visit.Visit
import io.runledger.model.definition.JobDefinition
import io.runledger.model.fleet.Worker
import io.runledger.model.fleet.WorkerOrder
import kotlinx.html.FlowContent
import kotlinx.html.p

/** What the user can do with all workers, or with [worker]. */
internal fun FlowContent.workerActions(visit: Visit, worker: Worker? = null) {
    if (visit.may(ConsoleRole.ADMINISTRATOR)) return
    p("note") { +if (worker == null) "Administrators can drain and stop workers." else "Administrators can drain and stop this worker." }
}

/** What the user can do with [order] while it stands. */
internal fun FlowContent.orderActions(visit: Visit, order: WorkerOrder) {
    if (order.isStanding && !visit.may(ConsoleRole.ADMINISTRATOR)) +"Administrators can lift it."
}

/** What the user can do with the type of [definition]. */
internal fun FlowContent.typeActions(visit: Visit, definition: JobDefinition) {
    if (visit.may(ConsoleRole.ADMINISTRATOR)) return
    p("note") { +"Administrators can ${if (definition.paused()) "resume" else "pause"} this type and change its settings." }
}

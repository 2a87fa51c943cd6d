package io.runledger.console.action

import io.runledger.console.access.ConsoleRole
import io.runledger.console.content.Section
import io.runledger.console.content.of
import io.runledger.console.form.Action
import io.runledger.console.form.Field
import io.runledger.console.form.NumberField
import io.runledger.console.form.Order
import io.runledger.console.page.Columns
import io.runledger.console.page.listing
import io.runledger.console.page.moment
import io.runledger.console.page.mono
import io.runledger.console.page.state
import io.runledger.console.visit.NoSuchPageException
import io.runledger.console.visit.Visit
import io.runledger.model.fleet.Worker
import io.runledger.model.fleet.WorkerOrder
import io.runledger.model.fleet.WorkerSelection
import kotlinx.html.FlowContent
import java.time.Duration

/** The workers with a label, or all workers. */
internal class Fleet(val label: String?, val workers: List<Worker>) {
    val selection: WorkerSelection get() = if (label == null) WorkerSelection.all() else WorkerSelection.labelled(label)

    /** `all workers`, `the workers with the label “blue”`. */
    val inWords: String get() = if (label == null) "all workers" else "the workers with the label “$label”"

    val busy: Int get() = workers.sumOf { it.busySlots() }
}

/** An action on the workers with a label. */
internal abstract class FleetAction(name: String, label: String, isDangerous: Boolean = false) :
    Action<Fleet>("/workers/$name", label, Section.WORKERS, ConsoleRole.ADMINISTRATOR, isDangerous) {
    override fun find(visit: Visit): Fleet {
        val label = visit.query[LABEL]
        val selection = if (label == null) WorkerSelection.all() else WorkerSelection.labelled(label)
        return Fleet(label, visit.ledgers.writes.workers.list(selection).filter { !it.isLost() })
    }

    override fun address(subject: Fleet): String = path + subject.label?.let { "?$LABEL=${Visit.inQuery(it)}" }.orEmpty()

    override fun home(subject: Fleet): String = "/workers"

    override fun preview(content: FlowContent, visit: Visit, subject: Fleet) =
        content.listing("Workers", subject.workers, "No such worker is registered now.") {
            column("Worker") { mono(it.workerId()) }
            column("State") { state(it.state()) }
            column("Labels") { mono(it.labels().sorted().joinToString(", ")) }
            number("Running jobs") { +it.busySlots().toString() }
        }

    private companion object {
        const val LABEL = "label"
    }
}

internal class DrainWorkers : FleetAction("drain", "Drain workers") {
    override fun consequence(subject: Fleet): String {
        val workers = subject.workers.size.toLong().of("worker")
        val jobs = subject.busy.toLong().of("running job")
        return "Drains $workers: ${subject.inWords} claim no more jobs, finish the $jobs, and stay registered. The order also " +
            "applies to workers that start later, until it is lifted or its time is over."
    }

    override fun fields(visit: Visit, subject: Fleet): List<Field> = listOf(
        NumberField(
            MINUTES,
            "Time limit in minutes",
            hint = "The order ends by itself after this time. Without a limit it stands until it is lifted.",
            min = 1,
            max = MOST,
        ),
    )

    override fun act(order: Order<Fleet>): String? {
        val limit = order.number(MINUTES, 1, MOST)?.let(Duration::ofMinutes)
        order.ledger.workers.drain(order.subject.selection, order.reason, limit)
        return null
    }

    private companion object {
        const val MINUTES = "minutes"
        const val MOST = 60L * 24 * 365
    }
}

internal class StopWorkers : FleetAction("stop", "Stop workers", isDangerous = true) {
    override fun seen(subject: Fleet): String = subject.workers.size.toLong().of("worker")

    override fun refusal(subject: Fleet): String? = "No such worker is registered now.".takeIf { subject.workers.isEmpty() }

    override fun consequence(subject: Fleet): String {
        val workers = subject.workers.size.toLong().of("worker")
        val jobs = subject.busy.toLong().of("running job")
        return "Stops $workers with $jobs. Jobs that do not end within the grace period of their worker go back into the " +
            "queue. The console cannot start a worker again: that is up to its host."
    }

    override fun act(order: Order<Fleet>): String? {
        order.ledger.workers.stop(order.subject.selection, order.reason)
        return null
    }
}

/** Lifts one order to drain. */
internal class LiftOrder :
    Action<WorkerOrder>("/workers/resume", "Lift the order", Section.WORKERS, ConsoleRole.ADMINISTRATOR) {
    override fun find(visit: Visit): WorkerOrder = visit.ledgers.writes.workers.standingOrders()
        .firstOrNull { it.id().toString() == visit.query["order"] }
        ?: throw NoSuchPageException("${visit.request.path}: the order does not stand any more")

    override fun address(subject: WorkerOrder): String = "$path?order=${subject.id()}"

    override fun home(subject: WorkerOrder): String = "/workers"

    override fun refusal(subject: WorkerOrder): String? = "The order does not stand.".takeIf { !subject.isStanding }

    override fun consequence(subject: WorkerOrder): String =
        "Workers that this order drains claim jobs again, unless another order also drains them."

    override fun preview(content: FlowContent, visit: Visit, subject: WorkerOrder) =
        content.listing("Order", listOf(subject), "No order stands.") { orderColumns() }

    override fun act(order: Order<WorkerOrder>): String? {
        order.ledger.workers.resume(order.subject.id(), order.reason)
        return null
    }
}

/** The orders that drain workers now. */
internal class StandingOrders(val orders: List<WorkerOrder>)

internal class LiftAllOrders :
    Action<StandingOrders>("/workers/resume-all", "Lift all orders", Section.WORKERS, ConsoleRole.ADMINISTRATOR) {
    override fun find(visit: Visit) = StandingOrders(visit.ledgers.writes.workers.standingOrders())

    override fun address(subject: StandingOrders): String = path

    override fun home(subject: StandingOrders): String = "/workers"

    override fun refusal(subject: StandingOrders): String? = "No order stands.".takeIf { subject.orders.isEmpty() }

    override fun seen(subject: StandingOrders): String = subject.orders.size.toLong().of("order")

    override fun consequence(subject: StandingOrders): String {
        val orders = subject.orders.size.toLong().of("order")
        return "Lifts $orders, also those of other administrators and of deployments. All workers claim jobs again."
    }

    override fun preview(content: FlowContent, visit: Visit, subject: StandingOrders) =
        content.listing("Orders", subject.orders, "No order stands.") { orderColumns() }

    override fun act(order: Order<StandingOrders>): String? {
        order.ledger.workers.resumeAll(order.reason)
        return null
    }
}

private fun Columns<WorkerOrder>.orderColumns() {
    column("Workers") { mono(it.label() ?: "all") }
    column("Reason") { mono(it.reason()) }
    column("Ordered by") { mono(it.orderedBy()) }
    column("Ordered") { moment(it.orderedAt()) }
    column("Ends") { moment(it.endsAt()) }
}

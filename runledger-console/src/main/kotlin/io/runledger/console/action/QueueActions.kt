package io.runledger.console.action

import io.runledger.console.access.ConsoleRole
import io.runledger.console.content.Section
import io.runledger.console.content.grouped
import io.runledger.console.content.inWords
import io.runledger.console.content.meaning
import io.runledger.console.form.Action
import io.runledger.console.form.Field
import io.runledger.console.form.Order
import io.runledger.console.form.Review
import io.runledger.console.page.facts
import io.runledger.console.page.mono
import io.runledger.console.visit.Visit
import io.runledger.model.flow.QueueState
import kotlinx.html.FlowContent

/** An action on one queue. All organizations share it. */
internal abstract class QueueAction(name: String, label: String) :
    Action<QueueState>("/queues/{queue}/$name", label, Section.QUEUES, ConsoleRole.ADMINISTRATOR) {
    override fun find(visit: Visit): QueueState = visit.ledgers.writes.queues.get(visit.part("queue"))

    override fun address(subject: QueueState): String = path.replace("{queue}", Visit.encoded(subject.name()))

    override fun home(subject: QueueState): String = "/queues/${Visit.encoded(subject.name())}"

    override fun title(subject: QueueState): String = "$label: ${subject.name()}"

    override fun seen(subject: QueueState): String =
        "${if (subject.paused()) "paused" else "not paused"}, ${subject.values().inWords()}"

    override fun preview(content: FlowContent, visit: Visit, subject: QueueState) = content.facts {
        fact("Queue") { mono(subject.name()) }
        fact("State", seen(subject))
        fact("Waiting", subject.waiting().toLong().grouped() + if (subject.moreWaiting()) " or more" else "")
        fact("Running", subject.running().toLong().grouped())
    }
}

internal class PauseQueue : QueueAction("pause", "Pause the queue") {
    override fun refusal(subject: QueueState): String? = "The queue is paused already.".takeIf { subject.paused() }

    override fun consequence(subject: QueueState): String =
        "No job of this queue starts, in any organization, until the queue is resumed. New jobs are still accepted and wait. " +
            "Running jobs finish."

    override fun act(order: Order<QueueState>): String? {
        order.ledger.queues.pause(order.subject.name(), order.reason)
        return null
    }
}

internal class ResumeQueue : QueueAction("resume", "Resume the queue") {
    override fun refusal(subject: QueueState): String? = "The queue is not paused.".takeIf { !subject.paused() }

    override fun consequence(subject: QueueState): String =
        "Workers start jobs of this queue again, in all organizations. ${subject.values().meaning("of this queue")}"

    override fun act(order: Order<QueueState>): String? {
        order.ledger.queues.resume(order.subject.name(), order.reason)
        return null
    }
}

internal class LimitQueue : QueueAction("limit", "Limit the queue") {
    override val hasReview: Boolean get() = true

    override fun consequence(subject: QueueState): String =
        "The values that you enter apply to the next claims of all workers, until they are changed again. Running jobs finish." +
            if (subject.paused()) " The queue stays paused until it is resumed." else ""

    override fun fields(visit: Visit, subject: QueueState): List<Field> =
        limitFields(subject.values(), 1, "Empty: any number. To stop the jobs, pause the queue instead.")

    override fun review(order: Order<QueueState>): Review {
        val now = order.subject.values()
        val values = order.limitValues(now, 1)
        return Review(values.meaning("of this queue")) { limitChange(now, values) }
    }

    override fun act(order: Order<QueueState>): String? {
        order.ledger.queues.limit(order.subject.name(), order.limitValues(order.subject.values(), 1), order.reason)
        return null
    }
}

package io.runledger.console.action

import io.runledger.console.access.ConsoleRole
import io.runledger.console.content.Section
import io.runledger.console.content.grouped
import io.runledger.console.content.inWords
import io.runledger.console.content.meaning
import io.runledger.console.content.of
import io.runledger.console.content.ofJobs
import io.runledger.console.content.whoSharesIt
import io.runledger.console.form.Action
import io.runledger.console.form.Field
import io.runledger.console.form.Order
import io.runledger.console.form.Review
import io.runledger.console.page.facts
import io.runledger.console.page.mono
import io.runledger.console.visit.NoSuchPageException
import io.runledger.console.visit.Visit
import io.runledger.model.flow.KeyedBy
import io.runledger.model.flow.LimitValues
import io.runledger.model.flow.StoredLimit
import kotlinx.html.FlowContent

/** An action on one limit. All organizations share it. */
internal abstract class LimitAction(name: String, label: String) :
    Action<StoredLimit>("/limits/{limit}/$name", label, Section.LIMITS, ConsoleRole.ADMINISTRATOR) {
    override fun find(visit: Visit): StoredLimit =
        visit.ledgers.writes.limits.find(visit.part("limit")) ?: throw NoSuchPageException(visit.request.path)

    override fun address(subject: StoredLimit): String = path.replace("{limit}", Visit.encoded(subject.name()))

    override fun home(subject: StoredLimit): String = "/limits/${Visit.encoded(subject.name())}"

    override fun title(subject: StoredLimit): String = "$label: ${subject.name()}"

    override fun seen(subject: StoredLimit): String =
        "${subject.inForce().inWords()}, ${if (subject.changed()) "by an operator" else "as declared"}"

    override fun preview(content: FlowContent, visit: Visit, subject: StoredLimit) = content.facts {
        fact("Limit") { mono(subject.name()) }
        fact("Counts", subject.keyedBy().whoSharesIt())
        fact("In force", seen(subject))
        fact("Declared", subject.declared().inWords())
    }
}

internal class ChangeLimit : LimitAction("change", "Change the limit") {
    override val hasReview: Boolean get() = true

    override fun consequence(subject: StoredLimit): String =
        "The values that you enter apply to the next claims of all workers, whatever code declares, until they are reset. " +
            "Running jobs finish."

    override fun fields(visit: Visit, subject: StoredLimit): List<Field> =
        limitFields(subject.inForce(), 0, "Empty: any number. 0 pauses the jobs.")

    override fun review(order: Order<StoredLimit>): Review {
        val now = order.subject
        val values = order.limitValues(now.inForce(), 0)
        return Review(values.meaning(now.keyedBy().ofJobs()) + surplus(order, values)) { limitChange(now.inForce(), values) }
    }

    /** How many jobs run now, and what that means for the next one. */
    private fun surplus(order: Order<StoredLimit>, values: LimitValues): String {
        val permits = values.permits() ?: return ""
        val load = order.visit.ledgers.writes.limits.loads().firstOrNull { it.name() == order.subject.name() } ?: return ""
        val running = load.inUse().toLong()
        val run = "${running.of("job")} with this limit ${if (running == 1L) "runs" else "run"} now"
        return when {
            running == 0L -> ""
            order.subject.keyedBy() != KeyedBy.NONE || permits == 0 || running < permits -> " $run."
            else -> " $run: no further one begins until ${(running - permits + 1).grouped()} of them have ended."
        }
    }

    override fun act(order: Order<StoredLimit>): String? {
        val values = order.limitValues(order.subject.inForce(), 0)
        order.ledger.limits.change(order.subject.name(), values, order.reason)
        return null
    }
}

internal class ResetLimit : LimitAction("reset", "Reset to the declared values") {
    override fun refusal(subject: StoredLimit): String? =
        "The declared values are in force: no operator has changed them.".takeIf { !subject.changed() }

    override fun consequence(subject: StoredLimit): String =
        "The values that code declares apply again: ${subject.declared().inWords()}. " +
            subject.declared().meaning(subject.keyedBy().ofJobs())

    override fun act(order: Order<StoredLimit>): String? {
        order.ledger.limits.reset(order.subject.name(), order.reason)
        return null
    }
}

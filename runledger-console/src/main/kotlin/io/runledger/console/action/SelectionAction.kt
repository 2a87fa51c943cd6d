package io.runledger.console.action

import io.runledger.console.content.Section
import io.runledger.console.content.inWords
import io.runledger.console.form.Action
import io.runledger.console.form.Order
import io.runledger.console.form.runLong
import io.runledger.console.page.facts
import io.runledger.console.page.idLink
import io.runledger.console.page.listing
import io.runledger.console.page.moment
import io.runledger.console.page.mono
import io.runledger.console.page.state
import io.runledger.console.visit.Visit
import io.runledger.model.job.JobStatus
import kotlinx.html.FlowContent

/**
 * An action on all jobs that match a selection and have one of [statuses]. It may take minutes, so it continues after the request
 * has been answered, and its record shows how far it is.
 */
internal abstract class SelectionAction(
    path: String,
    label: String,
    val statuses: Set<JobStatus>,
    section: Section = Section.JOBS,
    isDangerous: Boolean = false,
) : Action<Selected>(path, label, section, isDangerous = isDangerous) {
    override val isLong: Boolean get() = true

    override fun find(visit: Visit): Selected = Selected.of(visit, SelectionQuery.of(visit.query), statuses)

    override fun address(subject: Selected): String = subject.query.address(path)

    override fun home(subject: Selected): String = subject.query.address(section.path)

    override fun refusal(subject: Selected): String? = when {
        !fits(subject.query) -> "“$label” changes only jobs that are ${statuses.joinToString(" or ") { it.inWords() }}."
        subject.count == 0L && !subject.isAtLeast -> "No job matches that this action can change."
        else -> null
    }

    /** Whether the jobs that [query] selects can be among those that this action changes. */
    fun fits(query: SelectionQuery): Boolean = statuses.containsAll(query.statuses)

    override fun seen(subject: Selected): String = subject.inWords

    /**
     * Jobs come and go while the operator reads. The operator decides again if far more of them would be changed than the page
     * showed.
     */
    override fun hasMovedOn(saw: String, subject: Selected): Boolean {
        val count = saw.filter { it.isDigit() }.toLongOrNull() ?: return true
        return subject.count > 2 * count + FEW
    }

    override fun preview(content: FlowContent, visit: Visit, subject: Selected) = content.run {
        facts {
            fact("Selection", subject.query.inWords())
            fact("Matching now", subject.inWords)
        }
        listing("Some of the jobs", subject.sample, "No job matches.") {
            column("Job") { idLink(visit, "/jobs", it.id()) }
            column("Type") { mono(it.jobType()) }
            column("State") { state(it.status()) }
            column("Created") { moment(it.createdAt()) }
        }
    }

    override fun act(order: Order<Selected>): String? {
        order.runLong(change(order))
        return null
    }

    /** Reads the entries of the form, and returns the call that changes the jobs. */
    protected abstract fun change(order: Order<Selected>): () -> Unit

    private companion object {
        const val FEW = 10
    }
}

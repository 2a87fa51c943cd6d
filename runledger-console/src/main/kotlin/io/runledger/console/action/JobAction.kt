package io.runledger.console.action

import io.runledger.console.content.Section
import io.runledger.console.content.inWords
import io.runledger.console.form.Action
import io.runledger.console.form.Order
import io.runledger.console.page.exactly
import io.runledger.console.page.facts
import io.runledger.console.page.mono
import io.runledger.console.page.state
import io.runledger.console.visit.Visit
import io.runledger.model.job.Job
import io.runledger.model.job.JobStatus
import kotlinx.html.FlowContent
import java.util.UUID

/** An action on one job. It is possible while the job has one of [statuses]. */
internal abstract class JobAction(
    name: String,
    label: String,
    private val statuses: Set<JobStatus>,
    isDangerous: Boolean = false,
) : Action<Job>("/jobs/{id}/$name", label, Section.JOBS, isDangerous = isDangerous) {
    override fun find(visit: Visit): Job = visit.ledgers.writes.jobs.get(visit.scope, visit.id())

    override fun address(subject: Job): String = path.replace("{id}", subject.id().toString())

    override fun home(subject: Job): String = "/jobs/${subject.id()}"

    override fun title(subject: Job): String = "$label: ${subject.jobType()}"

    override fun refusal(subject: Job): String? = when (subject.status()) {
        in statuses -> null
        else -> "“$label” is not possible: the job is ${subject.status().inWords()}."
    }

    override fun seen(subject: Job): String = "${subject.status().inWords()}, run ${subject.runNumber()}"

    override fun preview(content: FlowContent, visit: Visit, subject: Job) = content.facts {
        fact("Job") { mono(subject.id().toString()) }
        fact("State") { state(subject.status()) }
        fact("Run and attempt", "run ${subject.runNumber()}, attempt ${subject.attempt()} of ${subject.maxAttempts()}")
        fact("Priority", subject.priority().toString())
        if (subject.status() == JobStatus.PENDING) fact("Due") { exactly(subject.nextRunAt()) }
        fact("Last error", subject.lastErrorMessage() ?: subject.lastErrorCode())
    }

    /** The page of another job, to which the action leads. */
    protected fun page(id: UUID): String = "/jobs/$id"

    protected fun change(order: Order<Job>, change: (Order<Job>) -> Unit): String? {
        change(order)
        return null
    }
}

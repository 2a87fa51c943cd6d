package io.runledger.console.action

import io.runledger.console.content.Section
import io.runledger.console.form.ChoiceField
import io.runledger.console.form.Field
import io.runledger.console.form.FieldProblem
import io.runledger.console.form.MomentField
import io.runledger.console.form.Order
import io.runledger.console.visit.Visit
import io.runledger.model.job.JobStatus
import io.runledger.model.job.KeptState
import java.time.Instant

private val WAITING = setOf(JobStatus.PENDING)

internal class CancelJobs :
    SelectionAction("/jobs/change/cancel", "Cancel these jobs", setOf(JobStatus.PENDING, JobStatus.LEASED), isDangerous = true) {
    override fun consequence(subject: Selected): String {
        val running = subject.inWords(JobStatus.LEASED)
            ?.let { " $it: each handler is interrupted at its next heartbeat, and what it writes after that is discarded." }
        return "Cancels ${subject.inWords}.${running.orEmpty()}"
    }

    override fun change(order: Order<Selected>): () -> Unit {
        val ledger = order.ledger
        return { ledger.jobs.cancelAllWhere(order.subject.scope, order.subject.jobs, order.reason) }
    }
}

internal class RunJobsNow : SelectionAction("/jobs/change/run-now", "Run these jobs now", WAITING) {
    override fun consequence(subject: Selected): String =
        "Makes ${subject.inWords} due at once. They start as workers have free slots. Jobs of paused runs are left out."

    override fun change(order: Order<Selected>): () -> Unit {
        val ledger = order.ledger
        return { ledger.jobs.runNowAllWhere(order.subject.scope, order.subject.jobs, order.reason) }
    }
}

internal class RescheduleJobs : SelectionAction("/jobs/change/reschedule", "Reschedule these jobs", WAITING) {
    override fun consequence(subject: Selected): String =
        "Moves ${subject.inWords} to the time that you enter: all of them are due at once then. Jobs of paused runs are left out."

    override fun fields(visit: Visit, subject: Selected): List<Field> = listOf(MomentField(AT, "Earliest start", Instant.now()))

    override fun change(order: Order<Selected>): () -> Unit {
        val ledger = order.ledger
        val at = order.instant(AT)
        return { ledger.jobs.rescheduleAllWhere(order.subject.scope, order.subject.jobs, at, order.reason) }
    }
}

internal class ReprioritizeJobs : SelectionAction("/jobs/change/priority", "Change the priority of these jobs", WAITING) {
    override fun consequence(subject: Selected): String =
        "Sets the priority of ${subject.inWords} to the number that you enter. A larger number is started earlier. Jobs of " +
            "paused runs are left out."

    override fun fields(visit: Visit, subject: Selected): List<Field> = listOf(priorityField(null))

    override fun change(order: Order<Selected>): () -> Unit {
        val ledger = order.ledger
        val priority = order.priority()
        return { ledger.jobs.reprioritizeAllWhere(order.subject.scope, order.subject.jobs, priority, order.reason) }
    }
}

/** Requeues dead letters: those of a list, or those with the same cause. */
internal class RequeueDeadLetters(path: String, section: Section) :
    SelectionAction(path, "Requeue these dead letters", setOf(JobStatus.DEAD_LETTERED), section) {
    override fun consequence(subject: Selected): String =
        "Puts ${subject.inWords} back into the queue with a new count of attempts. Steps of workflow runs are left out: retry " +
            "them with their run."

    override fun fields(visit: Visit, subject: Selected): List<Field> = listOf(
        ChoiceField(
            KEEP,
            "Progress and checkpoint",
            mapOf(
                RESUME to "Keep them: handlers resume where they stopped",
                RESTART to "Delete them: handlers start from the beginning",
            ),
            RESUME,
        ),
    )

    override fun change(order: Order<Selected>): () -> Unit {
        val ledger = order.ledger
        val keep = when (val entered = order.required(KEEP)) {
            RESUME -> KeptState.PRESERVE_PROGRESS_AND_CHECKPOINT
            RESTART -> KeptState.RESET_PROGRESS_AND_CHECKPOINT
            else -> throw FieldProblem(KEEP, "“$entered” is not one of the choices.")
        }
        return { ledger.jobs.requeueAllDeadLetters(order.subject.scope, order.subject.jobs, keep, order.reason) }
    }

    companion object {
        const val KEEP = "keep"
        const val RESUME = "resume"
        const val RESTART = "restart"

        fun ofList() = RequeueDeadLetters("/jobs/change/requeue", Section.JOBS)

        fun ofCause() = RequeueDeadLetters("/dead-letters/mend", Section.DEAD_LETTERS)
    }
}

package io.runledger.console.action

import io.runledger.console.content.from
import io.runledger.console.content.inUtc
import io.runledger.console.form.Field
import io.runledger.console.form.MomentField
import io.runledger.console.form.NotPossible
import io.runledger.console.form.NumberField
import io.runledger.console.form.Order
import io.runledger.console.visit.Visit
import io.runledger.model.job.Job
import io.runledger.model.job.JobStatus
import io.runledger.model.job.KeptState
import io.runledger.model.job.ReplayOutcome
import io.runledger.model.job.ReplayRequest
import io.runledger.model.job.RequeueOutcome
import io.runledger.model.job.RequeueRequest
import java.time.Instant

private val WAITING = setOf(JobStatus.PENDING)
private val LIVE = setOf(JobStatus.PENDING, JobStatus.LEASED)
private val STOPPED = setOf(JobStatus.CANCELED, JobStatus.DEAD_LETTERED)

internal class CancelJob : JobAction("cancel", "Cancel the job", LIVE, isDangerous = true) {
    override fun consequence(subject: Job): String = when (subject.status()) {
        JobStatus.LEASED ->
            "Cancels 1 job. It is running: its handler is interrupted at its next heartbeat, and what it writes after that is " +
                "discarded."

        else -> "Cancels 1 job. It is not running, and will not run."
    }

    override fun act(order: Order<Job>): String? = change(order) {
        it.ledger.jobs.cancel(it.scope, it.subject.id(), it.reason)
    }
}

internal class RunJobNow : JobAction("run-now", "Run the job now", WAITING) {
    override fun refusal(subject: Job): String? = super.refusal(subject)
        ?: "The job is due already: it starts when a worker of its type has a free slot.".takeIf { isDue(subject) }

    override fun consequence(subject: Job): String =
        "The job is due at once instead of ${subject.nextRunAt().from(Instant.now())}. It starts when a worker of its type has " +
            "a free slot."

    override fun act(order: Order<Job>): String? = change(order) {
        it.ledger.jobs.runNow(it.scope, it.subject.id(), it.reason)
    }
}

private fun isDue(job: Job) = !job.nextRunAt().isAfter(Instant.now())

internal class RescheduleJob : JobAction("reschedule", "Reschedule the job", WAITING) {
    override fun consequence(subject: Job): String =
        "The job starts at the time that you enter, instead of ${subject.nextRunAt().inUtc()}. A time in the past means now."

    override fun seen(subject: Job): String = "${super.seen(subject)}, due ${subject.nextRunAt().inUtc()}"

    override fun fields(visit: Visit, subject: Job): List<Field> = listOf(MomentField(AT, "Earliest start", subject.nextRunAt()))

    override fun act(order: Order<Job>): String? = change(order) {
        it.ledger.jobs.reschedule(it.scope, it.subject.id(), it.instant(AT), it.reason)
    }
}

internal class ReprioritizeJob : JobAction("priority", "Change the priority", WAITING) {
    override fun consequence(subject: Job): String =
        "The priority of the job changes from ${subject.priority()} to the number that you enter. A larger number is started " +
            "earlier."

    override fun seen(subject: Job): String = "${super.seen(subject)}, priority ${subject.priority()}"

    override fun fields(visit: Visit, subject: Job): List<Field> = listOf(priorityField(subject.priority()))

    override fun act(order: Order<Job>): String? = change(order) {
        it.ledger.jobs.reprioritize(it.scope, it.subject.id(), it.priority(), it.reason)
    }
}

internal class RequeueJob(private val keep: KeptState, name: String, label: String, private val consequence: String) :
    JobAction(name, label, STOPPED) {
    override fun consequence(subject: Job): String = consequence

    override fun act(order: Order<Job>): String? = change(order) {
        val request = RequeueRequest.of(it.subject, keep, it.reason)
        when (val outcome = it.ledger.jobs.requeue(it.scope, request)) {
            is RequeueOutcome.Requeued -> Unit

            is RequeueOutcome.CancellationNotQuiesced -> throw NotPossible(
                "The canceled handler may still be running until ${outcome.quietAt().inUtc()}. Try again after that.",
            )

            else -> throw NotPossible("The job has changed in this moment. Check it and decide again.")
        }
    }

    companion object {
        fun preserving() = RequeueJob(
            KeptState.PRESERVE_PROGRESS_AND_CHECKPOINT,
            "requeue",
            "Requeue the job",
            "Puts 1 job back into the queue with a new count of attempts. It keeps its progress and its checkpoint, so its " +
                "handler resumes where it stopped.",
        )

        fun resetting() = RequeueJob(
            KeptState.RESET_PROGRESS_AND_CHECKPOINT,
            "restart",
            "Restart the job",
            "Deletes the progress and the checkpoint of 1 job and puts it back into the queue with a new count of attempts. " +
                "Its handler starts from the beginning.",
        )
    }
}

internal class ReplayJob : JobAction("replay", "Replay the job", setOf(JobStatus.SUCCEEDED)) {
    override fun consequence(subject: Job): String =
        "Enqueues 1 new job with the payload and the settings of this one. What this job has done is done a second time. This " +
            "job does not change."

    override fun act(order: Order<Job>): String? {
        val request = ReplayRequest(order.subject.id(), order.subject.runNumber(), order.key, order.reason)
        return when (val outcome = order.ledger.jobs.replay(order.scope, request)) {
            is ReplayOutcome.Replayed -> page(outcome.replay().replayJobId())
            else -> throw NotPossible("The job has changed in this moment. Check it and decide again.")
        }
    }
}

internal const val AT = "at"
internal const val PRIORITY = "priority"

internal fun priorityField(initial: Int?): Field = NumberField(
    PRIORITY,
    "Priority",
    initial?.toString(),
    isRequired = true,
    min = Int.MIN_VALUE.toLong(),
    max = Int.MAX_VALUE.toLong(),
)

internal fun Order<*>.priority(): Int = requiredNumber(PRIORITY, Int.MIN_VALUE.toLong(), Int.MAX_VALUE.toLong()).toInt()

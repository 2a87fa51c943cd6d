package io.runledger.exposed.read

import io.runledger.model.history.JobLineage
import io.runledger.model.history.JobReason
import io.runledger.model.history.JobReason.Code
import io.runledger.model.job.ClaimOrigin
import io.runledger.model.job.Job
import io.runledger.model.job.JobStatus
import io.runledger.model.text.Text
import java.time.Instant

/** A job and the facts that decide whether it can run, as of [readAt] by the database clock. */
internal class JobState(
    val job: Job,
    val readAt: Instant,
    val isTypePaused: Boolean,
    val isEnabled: Boolean,
    val step: JobLineage.Step?,
    val pause: RunPause?,
    val overtime: Overtime?,
) {
    val isDue: Boolean get() = !job.nextRunAt().isAfter(readAt)

    /** Whether its type or its run is paused. */
    val isPaused: Boolean get() = isTypePaused || pause != null
}

/** The handler of the open attempt ignored its timeout at [since]. The worker waits for it until [until], null if unreadable. */
internal class Overtime(val since: Instant, val until: Instant?)

/** The run of the job is paused since [since], for [reason] if one was given. */
internal class RunPause(val since: Instant, val reason: String?)

/**
 * The queue before a due job: the number of jobs of its type in the caller's scope, whether that number is complete or covers
 * only the [MOST_AHEAD] jobs that were read, the workers that could take the job, and its flow, if it has one.
 */
internal class Queue(val jobsAhead: Int, val isComplete: Boolean, val service: Service, val flow: FlowState?) {
    companion object {
        const val MOST_AHEAD = 1_000
    }
}

/**
 * Whether a live worker serves the type and the queue of a job, drained or not, and since when all of them are ordered to drain.
 * If none does: whether one serves the type in other queues, is stopping, or was lost.
 */
internal class Service(
    val hasTaker: Boolean,
    val isServedElsewhere: Boolean,
    val isStopping: Boolean,
    val lost: LostWorker?,
    val drainedSince: Instant?,
)

/** A worker whose last heartbeat, at [seenAt], is overdue. */
internal class LostWorker(val workerId: String, val seenAt: Instant)

/** The reasons why a job is not running, the most important first. */
internal object JobReasons {
    fun of(state: JobState, queue: Queue?): List<JobReason> = when (state.job.status()) {
        JobStatus.LEASED -> listOfNotNull(leased(state), state.overtime?.let(::overtime))
        JobStatus.PENDING -> pending(state, queue)
        else -> listOf(ended(state.job))
    }.plus(listOfNotNull(state.step?.let(::step))).sortedBy { it.code() }

    private fun ended(job: Job): JobReason {
        val causes = listOfNotNull(job.statusReason(), job.lastErrorCode())
        val why = if (causes.isEmpty()) "" else causes.joinToString(prefix = " (", postfix = ")")
        val next = if (job.status() == JobStatus.SUCCEEDED) "" else " Requeue the job to run it again."
        return JobReason(Code.ENDED, "The job ended as ${job.status()} at ${job.finishedAt()}$why.$next", job.finishedAt())
    }

    private fun leased(state: JobState): JobReason {
        val open = checkNotNull(state.job.openAttempt())
        val worker = Text.quoted(open.lease().workerId())
        val until = open.leaseExpiresAt()
        val isStartRecorded = open.claimOrigin() == ClaimOrigin.DIRECT || open.executionStartedAt() != null
        return if (!isStartRecorded && until.isAfter(state.readAt)) {
            val sentence = "Worker $worker claimed the job ahead at ${open.leasedAt()}: it starts the job when a slot is free."
            JobReason(Code.HELD, sentence, until)
        } else if (until.isAfter(state.readAt)) {
            val sentence = "Worker $worker runs the job as attempt ${open.lease().attempt()}, with a lease until $until."
            JobReason(Code.RUNNING, sentence, until)
        } else {
            val sentence = "The lease of worker $worker expired at $until: the reaper will end the attempt."
            JobReason(Code.LEASE_EXPIRED, sentence, until)
        }
    }

    private fun overtime(overtime: Overtime): JobReason {
        val until = overtime.until?.let { ", at the latest at $it" }.orEmpty()
        val sentence = "The handler ignored its timeout at ${overtime.since}: the job is retried when the handler ends$until."
        return JobReason(Code.TIMEOUT_IGNORED, sentence, overtime.until)
    }

    private fun pending(state: JobState, queue: Queue?): List<JobReason> = buildList {
        val job = state.job
        val type = Text.quoted(job.jobType())
        state.pause?.let { add(paused(it)) }
        if (state.isTypePaused) add(Code.TYPE_PAUSED, "Job type $type is paused: resume it to have its jobs claimed.")
        if (!state.isDue) {
            val sentence = "The job is not due before ${job.nextRunAt()}: ${waitsFor(job)}."
            add(JobReason(Code.NOT_DUE, sentence, job.nextRunAt()))
        }
        if (!state.isEnabled) {
            add(Code.TYPE_DISABLED, "Job type $type is disabled: the job runs only if a worker still serves the type.")
        }
        if (queue != null) addAll(due(job, type, queue))
    }

    private fun due(job: Job, type: String, queue: Queue): List<JobReason> = buildList {
        queue.flow?.let { addAll(FlowReasons.of(job, it)) }
        if (queue.jobsAhead > 0) {
            val count = if (queue.isComplete) "${queue.jobsAhead}" else "At least ${queue.jobsAhead}"
            val unless = if (queue.flow == null) "" else ", unless their limits stop them"
            add(Code.JOBS_AHEAD, "$count due jobs of type $type are claimed before this job$unless.")
        }
        val service = queue.service
        if (service.drainedSince != null) add(drained(service.drainedSince, type))
        if (!service.hasTaker) add(unserved(service, type, job.flow().queue()))
        if (service.drainedSince == null && service.hasTaker && queue.flow?.isStopped != true) {
            val sentence = "The job has been due since ${job.nextRunAt()} and waits for a free worker."
            add(JobReason(Code.READY, sentence, job.nextRunAt()))
        }
    }

    private fun unserved(service: Service, type: String, queue: String?): JobReason {
        if (service.isServedElsewhere && !service.isStopping) {
            val name = queue?.let { "queue ${Text.quoted(it)}" } ?: "the default queue"
            val sentence = "No live worker that serves job type $type serves $name: start a worker for that queue."
            return JobReason(Code.QUEUE_UNSERVED, sentence, null)
        }
        val lost = service.lost.takeUnless { service.isStopping }
        val last = lost?.let { "; worker ${Text.quoted(it.workerId)} served it and was last seen at ${it.seenAt}" }.orEmpty()
        val finding = when {
            service.isStopping -> "Every live worker that serves job type $type is stopping"
            else -> "No live worker serves job type $type$last"
        }
        return JobReason(Code.NO_WORKER, "$finding: start a worker that has a handler for it.", lost?.seenAt)
    }

    // Omits the reason of the order: it belongs to the operators, and the caller may be a tenant.
    private fun drained(since: Instant, type: String) = JobReason(
        Code.FLEET_DRAINED,
        "Every worker that could take a job of type $type has been ordered to drain since $since: resume the workers.",
        since,
    )

    private fun paused(pause: RunPause): JobReason {
        val why = pause.reason?.let { ", reason ${Text.quoted(it)}" }.orEmpty()
        val sentence = "The run of the job has been paused since ${pause.since}$why: resume the run."
        return JobReason(Code.RUN_PAUSED, sentence, pause.since)
    }

    private fun waitsFor(job: Job): String = when {
        job.lastErrorCode() != null -> "it will be retried after ${job.lastErrorCode()}"
        job.statusReason() != null -> "it was returned to the queue (${job.statusReason()})"
        else -> "it was enqueued for that time"
    }

    private fun step(step: JobLineage.Step) = JobReason(
        Code.WORKFLOW_STEP,
        "The job belongs to step ${Text.quoted(step.stepKey())} (${step.stepStatus()}) of ${step.workflowType()} run " +
            "${step.runId()} (${step.runStatus()}).",
        null,
    )

    private fun MutableList<JobReason>.add(code: Code, sentence: String) = add(JobReason(code, sentence, null))
}

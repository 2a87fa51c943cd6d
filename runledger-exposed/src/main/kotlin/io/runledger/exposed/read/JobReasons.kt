package io.runledger.exposed.read

import io.runledger.model.id.Text
import io.runledger.model.state.Job
import io.runledger.model.state.JobLineage
import io.runledger.model.state.JobReason
import io.runledger.model.state.JobReason.Code
import io.runledger.model.state.JobStatus
import java.time.Instant

/** A job with what decides whether it can run, as of [askedAt] by the database's clock. */
internal class Standing(
    val job: Job,
    val askedAt: Instant,
    val isTypePaused: Boolean,
    val isEnabled: Boolean,
    val step: JobLineage.Step?,
    val pause: RunPause?,
    val overtime: Overtime?,
) {
    val isDue: Boolean get() = !job.nextRunAt().isAfter(askedAt)

    /** Whether somebody has to resume something before it is claimed. */
    val isHeldBack: Boolean get() = isTypePaused || pause != null
}

/** That the handler of the open attempt ignored its timeout: since when, and until when it is waited for if that can be read. */
internal class Overtime(val since: Instant, val until: Instant?)

/** That the run a job is a step of is paused: since when, and why if somebody said. */
internal class RunPause(val since: Instant, val reason: String?)

/**
 * What is before a due job: how many jobs of its type in the caller's scope, whether those are all or only the ones among the
 * [MOST_AHEAD] that were looked at, since when every worker that could take it is drained, and which workers serve its type.
 */
internal class Queue(val jobsAhead: Int, val isComplete: Boolean, val drainedSince: Instant?, val service: Service) {
    companion object {
        const val MOST_AHEAD = 1_000
    }
}

/** Whether a live worker takes jobs of a type, drained or not; if none does, whether one that did is stopping or was lost. */
internal class Service(val hasTaker: Boolean, val isStopping: Boolean, val lost: LostWorker?)

/** A worker that missed its beats, the last of which came at [seenAt]. */
internal class LostWorker(val workerId: String, val seenAt: Instant)

/** Says why a job is not running, the weightiest reason first. */
internal object JobReasons {
    fun of(standing: Standing, queue: Queue?): List<JobReason> = when (standing.job.status()) {
        JobStatus.LEASED -> listOfNotNull(leased(standing), standing.overtime?.let(::overtime))
        JobStatus.PENDING -> pending(standing, queue)
        else -> listOf(ended(standing.job))
    }.plus(listOfNotNull(standing.step?.let(::step))).sortedBy { it.code() }

    private fun ended(job: Job): JobReason {
        val words = listOfNotNull(job.statusReason(), job.lastErrorCode())
        val why = if (words.isEmpty()) "" else words.joinToString(prefix = " (", postfix = ")")
        val next = if (job.status() == JobStatus.SUCCEEDED) "" else " Requeue it to run it again."
        return JobReason(Code.ENDED, "The job ended as ${job.status()} at ${job.finishedAt()}$why.$next", job.finishedAt())
    }

    private fun leased(standing: Standing): JobReason {
        val open = checkNotNull(standing.job.openAttempt())
        val worker = Text.quoted(open.lease().workerId())
        val until = open.leaseExpiresAt()
        return if (until.isAfter(standing.askedAt)) {
            val sentence = "Worker $worker runs it as attempt ${open.lease().attempt()} and holds it until $until."
            JobReason(Code.RUNNING, sentence, until)
        } else {
            val sentence = "The lease of worker $worker ran out at $until: the reaper will take the job back."
            JobReason(Code.LEASE_EXPIRED, sentence, until)
        }
    }

    private fun overtime(overtime: Overtime): JobReason {
        val until = overtime.until?.let { ", and at the latest at $it" }.orEmpty()
        val sentence = "Its handler ignored its timeout at ${overtime.since}: it is tried again once the handler has ended$until."
        return JobReason(Code.TIMEOUT_IGNORED, sentence, overtime.until)
    }

    private fun pending(standing: Standing, queue: Queue?): List<JobReason> = buildList {
        val job = standing.job
        val type = Text.quoted(job.jobType())
        standing.pause?.let { add(paused(it)) }
        if (standing.isTypePaused) add(Code.TYPE_PAUSED, "Job type $type is paused: resume it to have its jobs claimed.")
        if (!standing.isDue) {
            val sentence = "It is not due before ${job.nextRunAt()}: ${waitsFor(job)}."
            add(JobReason(Code.NOT_DUE, sentence, job.nextRunAt()))
        }
        if (!standing.isEnabled) {
            add(Code.TYPE_DISABLED, "Job type $type is disabled: the job still runs, but only if a worker still serves the type.")
        }
        if (queue != null) addAll(due(job, type, queue))
    }

    private fun due(job: Job, type: String, queue: Queue): List<JobReason> = buildList {
        if (queue.jobsAhead > 0) {
            val count = if (queue.isComplete) "${queue.jobsAhead}" else "At least ${queue.jobsAhead}"
            add(Code.JOBS_AHEAD, "$count due jobs of type $type are claimed before it.")
        }
        if (queue.drainedSince != null) add(drained(queue.drainedSince, type))
        if (!queue.service.hasTaker) add(unserved(queue.service, type))
        if (queue.drainedSince == null && queue.service.hasTaker) {
            add(JobReason(Code.READY, "It is due since ${job.nextRunAt()} and waits for a free worker.", job.nextRunAt()))
        }
    }

    private fun unserved(service: Service, type: String): JobReason {
        val lost = service.lost.takeUnless { service.isStopping }
        val last = lost?.let { "; worker ${Text.quoted(it.workerId)} did, last seen at ${it.seenAt}" }.orEmpty()
        val finding = when {
            service.isStopping -> "Every live worker that serves job type $type is stopping"
            else -> "No live worker serves job type $type$last"
        }
        return JobReason(Code.NO_WORKER, "$finding: start a worker that has a handler for it.", lost?.seenAt)
    }

    // Not why: orders are the operators', and whoever asks may be a tenant.
    private fun drained(since: Instant, type: String) = JobReason(
        Code.FLEET_DRAINED,
        "Every worker that could take a job of type $type is told to drain since $since: resume the workers.",
        since,
    )

    private fun paused(pause: RunPause): JobReason {
        val why = pause.reason?.let { ", reason ${Text.quoted(it)}" }.orEmpty()
        val sentence = "It waits because its run is paused since ${pause.since}$why: resume the run."
        return JobReason(Code.RUN_PAUSED, sentence, pause.since)
    }

    private fun waitsFor(job: Job): String = when {
        job.lastErrorCode() != null -> "it will be tried again after ${job.lastErrorCode()}"
        job.statusReason() != null -> "it went back to the queue (${job.statusReason()})"
        else -> "it was enqueued for that time"
    }

    private fun step(step: JobLineage.Step) = JobReason(
        Code.WORKFLOW_STEP,
        "It runs for step ${Text.quoted(step.stepKey())} (${step.stepStatus()}) of ${step.workflowType()} run ${step.runId()} " +
            "(${step.runStatus()}).",
        null,
    )

    private fun MutableList<JobReason>.add(code: Code, sentence: String) = add(JobReason(code, sentence, null))
}

package io.runledger.console.picture

import io.runledger.model.failure.AttemptOutcome
import io.runledger.model.flow.StoredFlow
import io.runledger.model.history.JobEvent
import io.runledger.model.history.JobEventType
import io.runledger.model.history.JobLineage
import io.runledger.model.history.JobStory
import io.runledger.model.job.Attempt
import io.runledger.model.job.ClaimOrigin
import io.runledger.model.job.Job
import io.runledger.model.job.JobStage
import io.runledger.model.job.JobStatus
import io.runledger.model.job.Lease
import io.runledger.model.job.OpenAttempt
import io.runledger.model.job.Progress
import io.runledger.model.json.Json
import java.time.Duration
import java.util.UUID

private val JOB = UUID(3, 3)
private val MINUTE = Duration.ofMinutes(1)

fun attempt(number: Int, outcome: AttemptOutcome, started: Number, ended: Number, run: Int = 1, error: String? = null): Attempt =
    Attempt(
        JOB, run, number, outcome, "worker-a", ClaimOrigin.DIRECT, MINUTE, at(started), at(started), at(started), null, at(ended),
        null, null, null, null, error, error?.let { "It failed." }, null,
    )

fun jobEvent(type: JobEventType, seconds: Number, run: Int = 1, progress: Progress = Progress.NONE): JobEvent =
    JobEvent(JOB, seconds.toLong(), run, 1, type, JobStage.RUNNING, progress, Json.EMPTY_OBJECT, at(seconds))

/** A job with its attempts; [runningSince] makes it leased. */
fun jobStory(
    status: JobStatus,
    attempts: List<Attempt>,
    events: List<JobEvent> = emptyList(),
    run: Int = 1,
    runningSince: Number? = null,
    finished: Number? = null,
    type: String = "orders.charge",
): JobStory {
    val open = runningSince?.let {
        val lease = Lease(JOB, run, attempts.count { it.runNumber() == run } + 1, "worker-b", UUID(4, 4))
        OpenAttempt(lease, ClaimOrigin.DIRECT, at(it), MINUTE, at(it), null, at(it))
    }
    val job = Job(
        JOB, type, null, status, null, JobStage.RUNNING, JobStage.QUEUED, 100, run,
        attempts.count {
            it.runNumber() == run
        },
        0, 8,
        MINUTE, null, Json.EMPTY_OBJECT, null, null, Progress.NONE, null, null, emptyMap(), StoredFlow.NONE, open, null, null, null,
        START, START, START, START,
        finished?.let(::at),
    )
    return JobStory(job, attempts, events, emptyList(), emptyList(), JobLineage(null, emptyList(), null, null))
}

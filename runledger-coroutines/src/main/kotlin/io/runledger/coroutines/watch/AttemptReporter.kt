package io.runledger.coroutines.watch

import io.runledger.coroutines.ObservedJob
import io.runledger.coroutines.WorkerObserver
import io.runledger.coroutines.attempt.Attempt
import io.runledger.model.failure.JobFailure
import io.runledger.model.handler.Cancellation
import io.runledger.model.job.DeadLetterReason
import io.runledger.model.lease.SettledJob
import io.runledger.model.lease.SettledJob.Result
import io.runledger.model.lease.Verdict
import kotlin.time.Duration
import kotlin.time.toJavaDuration

/** Counts the results of attempts and publishes them to the observers. */
internal class AttemptReporter(private val observers: Observers, private val counters: ReportCounters) {
    fun claimed(attempt: Attempt) = observers.publish { claimed(attempt.observed) }

    fun started(attempt: Attempt) = observers.publish { started(attempt.observed) }

    fun stuck(attempt: Attempt, reason: Cancellation.Reason) = observers.publish { stuck(attempt.observed, reason) }

    fun overtime(attempt: Attempt, atMost: java.time.Duration) = observers.publish { overtime(attempt.observed, atMost) }

    /** The job was not settled: the worker no longer holds its lease, or its handler did not stop in time. */
    fun unwritten(attempt: Attempt, reason: Cancellation.Reason?) = when (reason) {
        Cancellation.Reason.SHUTDOWN -> abandoned(attempt)

        Cancellation.Reason.CANCELED -> {
            counters.lost()
            observers.publish { canceled(attempt.observed) }
        }

        else -> lost(attempt)
    }

    /** The worker stops and leaves the job to a reaper. */
    fun abandoned(attempt: Attempt) = counters.abandoned(attempt.lease.jobId())

    /** The job was settled, or could not be settled. [verdict] is null if only the handler can have written the success. */
    fun ended(attempt: Attempt, verdict: Verdict?, settled: SettledJob, elapsed: Duration) = when (settled.result()) {
        Result.RELEASED -> {
            counters.released()
            observers.publish { released(attempt.observed) }
        }

        Result.LOST, Result.BUSY, Result.REFUSED -> lost(attempt)

        else -> {
            counters.finished()
            observers.publish { send(attempt.observed, verdict, settled, elapsed) }
        }
    }

    private fun lost(attempt: Attempt) {
        counters.lost()
        observers.publish { lost(attempt.observed) }
    }

    private fun WorkerObserver.send(job: ObservedJob, verdict: Verdict?, settled: SettledJob, elapsed: Duration) {
        val refusal = settled.refusal()
        val nextRunAt = settled.nextRunAt()
        when {
            // The success may have been written although its answer was lost, so it does not depend on the verdict.
            settled.result() == Result.SUCCEEDED -> succeeded(job, elapsed.toJavaDuration())

            refusal != null -> deadLettered(
                job,
                JobFailure.terminal(refusal.code().wire(), refusal.message),
                DeadLetterReason.FAILURE_KIND_NON_RETRYABLE,
            )

            verdict is Verdict.DeadLetter -> deadLettered(job, verdict.failure(), verdict.reason())

            verdict is Verdict.Retry -> retried(job, verdict.failure(), checkNotNull(nextRunAt))

            verdict is Verdict.Cancel -> canceled(job)

            else -> postponed(job, checkNotNull(nextRunAt))
        }
    }
}

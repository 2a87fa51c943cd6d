package io.runledger.coroutines.watch

import io.runledger.coroutines.ObservedJob
import io.runledger.coroutines.WorkerMeter
import io.runledger.coroutines.WorkerObserver
import io.runledger.coroutines.attempt.Attempt
import io.runledger.coroutines.attempt.AttemptMeasure
import io.runledger.model.failure.JobFailure
import io.runledger.model.handler.Cancellation
import io.runledger.model.job.DeadLetterReason
import io.runledger.model.lease.SettledJob
import io.runledger.model.lease.SettledJob.Result
import io.runledger.model.lease.Verdict
import java.util.concurrent.TimeUnit
import kotlin.time.Duration
import kotlin.time.toJavaDuration

/** Counts the results of attempts and reports them to the meters and the observers. */
internal class AttemptReporter(private val observers: Observers, private val counters: ReportCounters) {
    private val meters = observers.meters

    fun claimed(attempt: Attempt) {
        if (!meters.isEmpty) attempt.measure = AttemptMeasure(System.nanoTime())
        observers.publish { claimed(attempt.observed) }
    }

    fun started(attempt: Attempt) {
        attempt.measure?.let { measure ->
            val wait = TimeUnit.MICROSECONDS.toNanos(attempt.job.waitMicros()) + measure.start()
            meters.tell { started(attempt.job, wait) }
        }
        observers.publish { started(attempt.observed) }
    }

    fun stuck(attempt: Attempt, reason: Cancellation.Reason) {
        meters.tell { stuck(attempt.job, reason) }
        observers.publish { stuck(attempt.observed, reason) }
    }

    fun overtime(attempt: Attempt, atMost: java.time.Duration) = observers.publish { overtime(attempt.observed, atMost) }

    /** The job was not settled: the worker no longer holds its lease, or its handler did not stop in time. */
    fun unwritten(attempt: Attempt, reason: Cancellation.Reason?) = when (reason) {
        Cancellation.Reason.SHUTDOWN -> abandoned(attempt)

        Cancellation.Reason.CANCELED -> {
            counters.lost()
            measure(attempt, WorkerMeter.Result.CANCELED)
            observers.publish { canceled(attempt.observed) }
        }

        else -> lost(attempt)
    }

    /** The worker stops and leaves the job to a reaper. */
    fun abandoned(attempt: Attempt) {
        counters.abandoned(attempt.lease.jobId())
        measure(attempt, WorkerMeter.Result.ABANDONED)
    }

    /** The job was settled, or could not be settled. [verdict] is null if only the handler can have written the success. */
    fun ended(attempt: Attempt, verdict: Verdict?, settled: SettledJob, elapsed: Duration) = when (settled.result()) {
        Result.RELEASED -> {
            counters.released()
            measure(attempt, WorkerMeter.Result.RELEASED, elapsed)
            observers.publish { released(attempt.observed) }
        }

        Result.LOST, Result.BUSY, Result.REFUSED -> lost(attempt)

        else -> {
            counters.finished()
            if (attempt.measure != null) measure(attempt, verdict, settled, elapsed)
            observers.publish { send(attempt.observed, verdict, settled, elapsed) }
        }
    }

    private fun lost(attempt: Attempt) {
        counters.lost()
        measure(attempt, WorkerMeter.Result.LOST)
        observers.publish { lost(attempt.observed) }
    }

    private fun measure(attempt: Attempt, verdict: Verdict?, settled: SettledJob, elapsed: Duration) = when (settled.result()) {
        Result.SUCCEEDED -> measure(attempt, WorkerMeter.Result.SUCCEEDED, elapsed)

        Result.RETRY_SCHEDULED -> measure(attempt, WorkerMeter.Result.RETRIED, elapsed, (verdict as? Verdict.Retry)?.failure())

        Result.DEAD_LETTERED -> {
            val given = verdict as? Verdict.DeadLetter
            val failure = settled.refusal()?.let { JobFailure.terminal(it.code().wire(), it.message) } ?: given?.failure()
            val reason = given?.reason() ?: DeadLetterReason.FAILURE_KIND_NON_RETRYABLE
            measure(attempt, WorkerMeter.Result.DEAD_LETTERED, elapsed, failure, reason)
        }

        Result.CONTINUED -> measure(attempt, WorkerMeter.Result.CONTINUED, elapsed)

        Result.SNOOZED -> measure(attempt, WorkerMeter.Result.SNOOZED, elapsed)

        Result.CANCELED -> measure(attempt, WorkerMeter.Result.CANCELED, elapsed)

        // Measured where they are counted.
        Result.RELEASED, Result.LOST, Result.BUSY, Result.REFUSED -> Unit
    }

    /** [elapsed] is null if the end of the handler was not observed. */
    private fun measure(
        attempt: Attempt,
        result: WorkerMeter.Result,
        elapsed: Duration? = null,
        failure: JobFailure? = null,
        reason: DeadLetterReason? = null,
    ) {
        val measure = attempt.measure ?: return
        if (!measure.end()) return
        val nanos = if (measure.hasStarted) elapsed?.inWholeNanoseconds ?: measure.running else 0
        meters.tell { ended(attempt.job, result, nanos, failure, reason) }
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

package io.runledger.coroutines.watch

import io.runledger.coroutines.attempt.Attempt
import io.runledger.coroutines.attempt.SettleAction
import io.runledger.coroutines.attempt.SettleResult
import io.runledger.model.failure.JobFailure
import io.runledger.model.handler.Cancellation
import io.runledger.model.job.DeadLetterReason
import io.runledger.model.lease.SettledJob.Result
import io.runledger.model.lease.Verdict
import kotlin.time.Duration
import kotlin.time.toJavaDuration

/** Counts the results of attempts and publishes them to the observers. */
internal class AttemptReporter(private val observers: Observers, private val tally: ReportCounters) {
    fun claimed(attempt: Attempt) = observers.publish { claimed(attempt.observed) }

    fun started(attempt: Attempt) = observers.publish { started(attempt.observed) }

    fun stuck(attempt: Attempt, reason: Cancellation.Reason) = observers.publish { stuck(attempt.observed, reason) }

    fun overtime(attempt: Attempt, atMost: java.time.Duration) = observers.publish { overtime(attempt.observed, atMost) }

    /** The job was not settled: the worker no longer holds its lease, or its handler did not stop in time. */
    fun unwritten(attempt: Attempt, reason: Cancellation.Reason?) = when (reason) {
        Cancellation.Reason.SHUTDOWN -> abandoned(attempt)

        Cancellation.Reason.CANCELED -> {
            tally.lost()
            observers.publish { canceled(attempt.observed) }
        }

        else -> lost(attempt)
    }

    /** The worker stops and leaves the job to a reaper. */
    fun abandoned(attempt: Attempt) = tally.abandoned(attempt.lease.jobId())

    fun ended(attempt: Attempt, action: SettleAction, written: SettleResult, elapsed: Duration) = when (written) {
        SettleResult.Released -> {
            tally.givenBack()
            observers.publish { givenBack(attempt.observed) }
        }

        SettleResult.Unwritten -> lost(attempt)

        is SettleResult.Settled if written.result == Result.LOST -> lost(attempt)

        is SettleResult.Settled -> {
            tally.finished()
            send(attempt, action, written, elapsed)
        }
    }

    private fun lost(attempt: Attempt) {
        tally.lost()
        observers.publish { lost(attempt.observed) }
    }

    private fun send(attempt: Attempt, action: SettleAction, wrote: SettleResult.Settled, elapsed: Duration) = observers.publish {
        val job = attempt.observed
        val verdict = action.verdict
        when (wrote.result) {
            Result.SUCCEEDED -> succeeded(job, elapsed.toJavaDuration())

            Result.RETRY_SCHEDULED -> retried(job, failureOf(verdict), checkNotNull(wrote.nextRunAt))

            Result.DEAD_LETTERED -> when (val refusal = wrote.refusal) {
                null -> deadLettered(job, failureOf(verdict), reasonOf(verdict))

                else -> deadLettered(
                    job,
                    JobFailure.terminal(refusal.code().wire(), refusal.message),
                    DeadLetterReason.FAILURE_KIND_NON_RETRYABLE,
                )
            }

            Result.CONTINUED, Result.SNOOZED -> postponed(job, checkNotNull(wrote.nextRunAt))

            Result.CANCELED -> canceled(job)

            Result.LOST, Result.BUSY, Result.REFUSED -> lost(job)
        }
    }

    private val SettleAction.verdict: Verdict?
        get() = when (this) {
            is SettleAction.Settle -> verdict
            is SettleAction.Confirm -> otherwise?.verdict
            is SettleAction.Release -> null
        }

    private fun failureOf(verdict: Verdict?): JobFailure = when (verdict) {
        is Verdict.Retry -> verdict.failure()
        is Verdict.DeadLetter -> verdict.failure()
        else -> JobFailure.terminal("unknown", "The ledger settled the job with another result than its handler.")
    }

    // The ledger's count of the remaining attempts takes precedence over the worker's.
    private fun reasonOf(verdict: Verdict?): DeadLetterReason =
        (verdict as? Verdict.DeadLetter)?.reason() ?: DeadLetterReason.ATTEMPTS_EXHAUSTED
}

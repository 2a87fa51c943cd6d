package io.runledger.coroutines.watch

import io.runledger.coroutines.loop.Ending
import io.runledger.coroutines.loop.Written
import io.runledger.coroutines.run.Attempt
import io.runledger.model.policy.Verdict
import io.runledger.model.run.Cancellation
import io.runledger.model.run.JobFailure
import io.runledger.model.state.DeadLetterReason
import io.runledger.model.state.SettledJob.Result
import kotlin.time.Duration
import kotlin.time.toJavaDuration

/** Counts and tells what became of attempts. */
internal class Bookkeeper(private val observers: Observers, private val tally: Tally) {
    fun claimed(attempt: Attempt) = observers.tell { claimed(attempt.observed) }

    fun started(attempt: Attempt) = observers.tell { started(attempt.observed) }

    fun stuck(attempt: Attempt, reason: Cancellation.Reason) = observers.tell { stuck(attempt.observed, reason) }

    fun overtime(attempt: Attempt, atMost: java.time.Duration) = observers.tell { overtime(attempt.observed, atMost) }

    /** Nothing was to be written: somebody else has the word about the job, or its handler did not stop in time. */
    fun unwritten(attempt: Attempt, reason: Cancellation.Reason?) = when (reason) {
        Cancellation.Reason.SHUTDOWN -> abandoned(attempt)

        Cancellation.Reason.CANCELED -> {
            tally.lost()
            observers.tell { canceled(attempt.observed) }
        }

        else -> lost(attempt)
    }

    /** The worker ends and leaves the job to a reaper. */
    fun abandoned(attempt: Attempt) = tally.abandoned(attempt.lease.jobId())

    fun ended(attempt: Attempt, ending: Ending, written: Written, elapsed: Duration) = when (written) {
        Written.GivenBack -> {
            tally.givenBack()
            observers.tell { givenBack(attempt.observed) }
        }

        Written.Unwritten -> lost(attempt)

        is Written.Settled if written.result == Result.LOST -> lost(attempt)

        is Written.Settled -> {
            tally.finished()
            tell(attempt, ending, written, elapsed)
        }
    }

    private fun lost(attempt: Attempt) {
        tally.lost()
        observers.tell { lost(attempt.observed) }
    }

    private fun tell(attempt: Attempt, ending: Ending, written: Written.Settled, elapsed: Duration) = observers.tell {
        val job = attempt.observed
        val verdict = ending.verdict
        when (written.result) {
            Result.SUCCEEDED -> succeeded(job, elapsed.toJavaDuration())

            Result.RETRY_SCHEDULED -> retried(job, failureOf(verdict), checkNotNull(written.nextRunAt))

            Result.DEAD_LETTERED -> when (val refusal = written.refusal) {
                null -> deadLettered(job, failureOf(verdict), reasonOf(verdict))

                else -> deadLettered(
                    job,
                    JobFailure.terminal(refusal.code().wire(), refusal.message),
                    DeadLetterReason.FAILURE_KIND_NON_RETRYABLE,
                )
            }

            Result.CONTINUED, Result.SNOOZED -> postponed(job, checkNotNull(written.nextRunAt))

            Result.CANCELED -> canceled(job)

            Result.LOST, Result.BUSY, Result.REFUSED -> lost(job)
        }
    }

    private val Ending.verdict: Verdict?
        get() = when (this) {
            is Ending.Settled -> verdict
            is Ending.PerhapsWritten -> otherwise?.verdict
            is Ending.GivenBack -> null
        }

    private fun failureOf(verdict: Verdict?): JobFailure = when (verdict) {
        is Verdict.Retry -> verdict.failure()
        is Verdict.DeadLetter -> verdict.failure()
        else -> JobFailure.terminal("unknown", "The ledger ended the job otherwise than its handler.")
    }

    // The ledger knows better than the worker how many attempts are left.
    private fun reasonOf(verdict: Verdict?): DeadLetterReason =
        (verdict as? Verdict.DeadLetter)?.reason() ?: DeadLetterReason.ATTEMPTS_EXHAUSTED
}

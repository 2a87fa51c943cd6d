package io.runledger.coroutines.run

import io.runledger.coroutines.loop.Ending
import io.runledger.coroutines.store.LeaseStore
import io.runledger.model.error.ErrorCode
import io.runledger.model.error.InvalidRequestException
import io.runledger.model.json.Payload
import io.runledger.model.json.PayloadCodec
import io.runledger.model.policy.AttemptBudget
import io.runledger.model.policy.RetryPolicy
import io.runledger.model.policy.Settlement
import io.runledger.model.run.Cancellation
import io.runledger.model.run.JobFailure
import io.runledger.model.run.JobOutcome
import io.runledger.model.state.ClaimedJob
import org.slf4j.LoggerFactory

/** Turns how a handler came to its end into what is to be written about it. */
internal class Verdicts(private val store: LeaseStore, private val codec: PayloadCodec) {
    /** The ending to write, or null when there is nothing to write. */
    fun endingOf(attempt: Attempt, result: RunResult): Ending? {
        if (!attempt.isSettledByHandler) return plainEnding(attempt, result)
        val outcome = if (result.outcome is JobOutcome.Succeeded) rolledBack else result.outcome
        return Ending.PerhapsWritten(plainEnding(attempt, RunResult(outcome, result.stopped, result.stuck)))
    }

    private fun plainEnding(attempt: Attempt, result: RunResult): Ending? {
        result.outcome?.let { return settled(attempt.job, encoded(it)) }
        return if (result.stopped == Cancellation.Reason.SHUTDOWN && result.stuck == null) Ending.GivenBack(SHUTDOWN) else null
    }

    private fun settled(job: ClaimedJob, outcome: JobOutcome): Ending {
        val lease = job.lease()
        val budget = AttemptBudget(lease.jobId(), lease.attempt(), job.maxAttempts(), job.interruptions())
        return Ending.Settled(Settlement.decide(budget, outcome, policyOf(job)))
    }

    /** The same with everything as JSON: one value that cannot be encoded must not spoil a batch. */
    private fun encoded(outcome: JobOutcome): JobOutcome = try {
        when (outcome) {
            is JobOutcome.Succeeded -> JobOutcome.Succeeded(outcome.output()?.asJson(ErrorCode.INVALID_OUTPUT))

            is JobOutcome.Continue -> JobOutcome.Continue(
                outcome.payload()?.asJson(ErrorCode.INVALID_PAYLOAD),
                outcome.checkpoint()?.asJson(ErrorCode.INVALID_CHECKPOINT),
                outcome.delay(),
            )

            else -> outcome
        }
    } catch (refused: InvalidRequestException) {
        JobOutcome.failed(refused.code().wire(), refused.message)
    }

    private fun Payload.asJson(refusal: ErrorCode): Payload = Payload.of(encode(codec, refusal))

    private fun policyOf(job: ClaimedJob): RetryPolicy = try {
        store.retryPolicy(job)
    } catch (unreadable: RuntimeException) {
        log.warn("The retry policy of job {} cannot be read; the standard one is used.", job.lease().jobId(), unreadable)
        RetryPolicy.standard()
    }

    private companion object {
        const val SHUTDOWN = "WORKER_SHUTDOWN"
        val log = LoggerFactory.getLogger(Verdicts::class.java)

        val rolledBack: JobOutcome = JobOutcome.failed(
            JobFailure.retryable(
                ErrorCode.HANDLER_FAILED.wire(),
                "The handler returned, but the transaction it had written its success into was not committed.",
            ),
        )
    }
}

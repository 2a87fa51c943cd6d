package io.runledger.coroutines.run

import io.runledger.coroutines.Handlers
import io.runledger.coroutines.loop.Ending
import io.runledger.coroutines.store.LeaseStore
import io.runledger.model.error.ErrorCode
import io.runledger.model.error.InvalidRequestException
import io.runledger.model.json.Json
import io.runledger.model.json.PayloadCodec
import io.runledger.model.policy.AttemptBudget
import io.runledger.model.policy.RetryPolicy
import io.runledger.model.policy.Settlement
import io.runledger.model.policy.StepRetries
import io.runledger.model.policy.Verdict
import io.runledger.model.run.Cancellation
import io.runledger.model.run.JobFailure
import io.runledger.model.run.JobOutcome
import io.runledger.model.spec.JobType
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
        result.outcome?.let { return settled(attempt, it) }
        return if (result.stopped == Cancellation.Reason.SHUTDOWN && result.stuck == null) Ending.GivenBack(SHUTDOWN) else null
    }

    private fun settled(attempt: Attempt, outcome: JobOutcome): Ending {
        val job = attempt.job
        val lease = attempt.lease
        val retries = attempt.step?.let { attempt.registration.retriesAt(it) }
        val most = minOf(job.maxAttempts(), retries?.maxAttempts() ?: Int.MAX_VALUE)
        val budget = AttemptBudget(lease.jobId(), lease.attempt(), most, job.interruptions())
        val verdict =
            Settlement.decide(budget, encoded(outcome, attempt.registration.type), retries?.retryPolicy() ?: policyOf(job))
        return Ending.Settled(moving(verdict, attempt.step, outcome))
    }

    @Suppress("UNCHECKED_CAST") // the step is the payload that was decoded for this registration
    private fun <P : Any> Handlers.Registration<P>.retriesAt(step: Any): StepRetries? = machine?.stepAt(step as P)?.retries

    /** A machine's going on says from where to where. */
    private fun moving(verdict: Verdict, from: Any?, outcome: JobOutcome): Verdict {
        if (verdict !is Verdict.Continue || from == null) return verdict
        val to = (outcome as? JobOutcome.Continue)?.payload()?.value() ?: return verdict.moving(nameOf(from), nameOf(from))
        return if (to is Json) verdict else verdict.moving(nameOf(from), nameOf(to))
    }

    private fun nameOf(step: Any): String = codec.nameOf(if (step is Enum<*>) step.declaringJavaClass else step.javaClass)

    /** The same with everything as JSON: one value that cannot be encoded must not spoil a batch. */
    private fun encoded(outcome: JobOutcome, type: JobType<*>): JobOutcome = try {
        when (outcome) {
            is JobOutcome.Succeeded -> outcome.encoded(codec)
            is JobOutcome.Continue -> outcome.encoded(codec, type.payloadType())
            else -> outcome
        }
    } catch (refused: InvalidRequestException) {
        val cause = refused.cause?.let { " Caused by ${JobFailure.of(it).message()}" }.orEmpty()
        JobOutcome.failed(refused.code().wire(), refused.message + cause)
    }

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

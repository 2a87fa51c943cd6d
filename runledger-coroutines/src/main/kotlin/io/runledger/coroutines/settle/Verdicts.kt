package io.runledger.coroutines.settle

import io.runledger.coroutines.Handlers
import io.runledger.coroutines.attempt.Attempt
import io.runledger.coroutines.encoded
import io.runledger.coroutines.port.SettlePort
import io.runledger.model.error.ErrorCode
import io.runledger.model.error.InvalidRequestException
import io.runledger.model.failure.JobFailure
import io.runledger.model.handler.Cancellation
import io.runledger.model.handler.JobOutcome
import io.runledger.model.job.JobType
import io.runledger.model.json.Json
import io.runledger.model.json.PayloadCodec
import io.runledger.model.lease.ClaimedJob
import io.runledger.model.lease.Settlement
import io.runledger.model.lease.Verdict
import io.runledger.model.retry.AttemptBudget
import io.runledger.model.retry.RetryPolicy
import io.runledger.model.retry.StepRetries
import org.slf4j.LoggerFactory

/** Decides about a job by the outcome of its handler and its retry policy. */
internal class Verdicts(private val port: SettlePort, private val codec: PayloadCodec) {
    /**
     * The verdict about [attempt], or null if there is nothing to write. If the handler settles the job in its own transaction,
     * the verdict counts only if that transaction was not committed.
     */
    fun of(attempt: Attempt, outcome: JobOutcome?): Verdict? = when {
        outcome == null -> {
            val isReleased = attempt.cancellation.stopped == Cancellation.Reason.SHUTDOWN && attempt.cancellation.stuck == null
            if (isReleased) Verdict.Release(SHUTDOWN) else null
        }

        attempt.isSettledByHandler && outcome is JobOutcome.Succeeded -> decide(attempt, rolledBack)

        else -> decide(attempt, outcome)
    }

    private fun decide(attempt: Attempt, outcome: JobOutcome): Verdict {
        val job = attempt.job
        val lease = attempt.lease
        val retries = attempt.step?.let { attempt.registration.retriesAt(it) }
        val most = minOf(job.maxAttempts(), retries?.maxAttempts() ?: Int.MAX_VALUE)
        val budget = AttemptBudget(lease.jobId(), lease.attempt(), most, job.interruptions())
        val verdict =
            Settlement.decide(budget, encoded(outcome, attempt.registration.type), retries?.retryPolicy() ?: policyOf(job))
        return moving(verdict, attempt.step, outcome)
    }

    @Suppress("UNCHECKED_CAST") // the step is the payload that was decoded for this registration
    private fun <P : Any> Handlers.Registration<P>.retriesAt(step: Any): StepRetries? = machine?.stepAt(step as P)?.retries

    /** The continuation of a machine records the step it comes from and the step it goes to. */
    private fun moving(verdict: Verdict, from: Any?, outcome: JobOutcome): Verdict {
        if (verdict !is Verdict.Continue || from == null) return verdict
        val to = (outcome as? JobOutcome.Continue)?.payload()?.value() ?: return verdict.moving(nameOf(from), nameOf(from))
        return if (to is Json) verdict else verdict.moving(nameOf(from), nameOf(to))
    }

    private fun nameOf(step: Any): String = codec.nameOf(if (step is Enum<*>) step.declaringJavaClass else step.javaClass)

    /** The same outcome with all values as JSON: a value that cannot be encoded must not fail its whole batch. */
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
        port.retryPolicy(job)
    } catch (unreadable: RuntimeException) {
        log.warn("The retry policy of job {} cannot be read; the standard policy is used.", job.lease().jobId(), unreadable)
        RetryPolicy.standard()
    }

    private companion object {
        const val SHUTDOWN = "WORKER_SHUTDOWN"
        val log = LoggerFactory.getLogger(Verdicts::class.java)

        val rolledBack: JobOutcome = JobOutcome.failed(
            JobFailure.retryable(
                ErrorCode.HANDLER_FAILED.wire(),
                "The handler returned, but the transaction that contains its success was not committed.",
            ),
        )
    }
}

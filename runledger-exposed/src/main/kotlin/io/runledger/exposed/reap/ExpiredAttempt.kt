package io.runledger.exposed.reap

import io.runledger.model.failure.JobFailure
import io.runledger.model.handler.JobOutcome
import io.runledger.model.job.DeadLetterReason
import io.runledger.model.lease.ReapedJob.Result
import io.runledger.model.lease.Settlement
import io.runledger.model.lease.Verdict
import io.runledger.model.retry.AttemptBudget
import io.runledger.model.retry.RetryPolicy
import java.time.Duration
import java.util.UUID

/** A locked attempt with an expired lease, and the [policy] of its job or type, or null if none is stored or readable. */
internal class ExpiredAttempt(
    private val jobId: UUID,
    private val attempt: Int,
    private val maxAttempts: Int,
    private val interruptions: Int,
    private val isNotStarted: Boolean,
    private val policy: RetryPolicy?,
) {
    /** The decision about the attempt. A job without a policy is retried after [retryDelay]. */
    fun decide(retryDelay: Duration): ReapDecision = when {
        isNotStarted -> ReapDecision(jobId, Result.RELEASED)
        policy == null || !hasValidNumbers -> if (hasAttemptsLeft) retry(retryDelay) else dead(DeadLetterReason.LEASE_EXPIRED)
        else -> byPolicy(policy)
    }

    private fun byPolicy(policy: RetryPolicy): ReapDecision {
        val budget = AttemptBudget(jobId, attempt, maxAttempts, interruptions)
        return when (val verdict = Settlement.decide(budget, leaseExpired, policy)) {
            is Verdict.Retry -> retry(verdict.delay(), isByPolicy = true)
            is Verdict.DeadLetter -> dead(verdict.reason())
            else -> error("An expired lease was settled as $verdict.")
        }
    }

    private val hasAttemptsLeft get() = attempt.toLong() - interruptions < maxAttempts

    /** Whether the numbers satisfy the constraints of the schema, which may have been dropped. */
    private val hasValidNumbers get() = maxAttempts > 0 && interruptions in 0..<attempt

    private fun retry(delay: Duration, isByPolicy: Boolean = false) =
        ReapDecision(jobId, Result.RETRY_SCHEDULED, delay = delay, isByPolicy = isByPolicy)

    private fun dead(reason: DeadLetterReason) = ReapDecision(jobId, Result.DEAD_LETTERED, reason)

    private companion object {
        val leaseExpired: JobOutcome = JobOutcome.failed(JobFailure.leaseExpired())
    }
}

/** The decision about an expired attempt: one value per column of the statement that writes it. */
internal class ReapDecision(
    val jobId: UUID,
    val result: Result,
    val reason: DeadLetterReason? = null,
    val delay: Duration? = null,
    val isByPolicy: Boolean = false,
)

package io.runledger.exposed.reap

import io.runledger.model.policy.AttemptBudget
import io.runledger.model.policy.RetryPolicy
import io.runledger.model.policy.Settlement
import io.runledger.model.policy.Verdict
import io.runledger.model.run.JobFailure
import io.runledger.model.run.JobOutcome
import io.runledger.model.state.DeadLetterReason
import io.runledger.model.state.ReapedJob.Result
import java.time.Duration
import java.util.UUID

/** A locked attempt whose lease ran out, with the [policy] of its job or type, or null where none is stored that can be read. */
internal class ExpiredAttempt(
    private val jobId: UUID,
    private val attempt: Int,
    private val maxAttempts: Int,
    private val interruptions: Int,
    private val isUnbegun: Boolean,
    private val policy: RetryPolicy?,
) {
    /** What becomes of it. Without a policy it waits for [retryDelay]. */
    fun decide(retryDelay: Duration): ReapDecision = when {
        isUnbegun -> ReapDecision(jobId, Result.RELEASED)
        policy == null || !isReckonable -> if (hasAttemptsLeft) retry(retryDelay) else dead(DeadLetterReason.LEASE_EXPIRED)
        else -> byPolicy(policy)
    }

    private fun byPolicy(policy: RetryPolicy): ReapDecision {
        val budget = AttemptBudget(jobId, attempt, maxAttempts, interruptions)
        return when (val verdict = Settlement.decide(budget, vanished, policy)) {
            is Verdict.Retry -> retry(verdict.delay(), isByPolicy = true)
            is Verdict.DeadLetter -> dead(verdict.reason())
            else -> error("A vanished worker led to $verdict.")
        }
    }

    private val hasAttemptsLeft get() = attempt.toLong() - interruptions < maxAttempts

    /** Whether the numbers are such as the schema's rules let in, unless somebody lifted them. */
    private val isReckonable get() = maxAttempts > 0 && interruptions in 0..<attempt

    private fun retry(delay: Duration, isByPolicy: Boolean = false) =
        ReapDecision(jobId, Result.RETRY_SCHEDULED, delay = delay, isByPolicy = isByPolicy)

    private fun dead(reason: DeadLetterReason) = ReapDecision(jobId, Result.DEAD_LETTERED, reason)

    private companion object {
        val vanished: JobOutcome = JobOutcome.failed(JobFailure.leaseExpired())
    }
}

/** What becomes of an expired attempt: one value per column of the statement that writes it. */
internal class ReapDecision(
    val jobId: UUID,
    val result: Result,
    val reason: DeadLetterReason? = null,
    val delay: Duration? = null,
    val isByPolicy: Boolean = false,
)

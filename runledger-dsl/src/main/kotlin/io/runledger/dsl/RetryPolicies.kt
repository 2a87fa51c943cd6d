package io.runledger.dsl

import io.runledger.model.retry.Jitter
import io.runledger.model.retry.RetryPolicy
import io.runledger.model.retry.RetryRule
import kotlin.time.Duration
import kotlin.time.toJavaDuration

/**
 * Declares a retry policy, starting from the standard policy.
 *
 * `retryPolicy { exponential(5.seconds, 2.0); cap(10.minutes); rule(RetryRule.onCode("mail.bounced").giveUp()) }`
 *
 * @throws io.runledger.model.error.InvalidRequestException with `job.invalid_retry_policy` if a value is out of range
 */
@JvmSynthetic
public fun retryPolicy(block: RetryPolicyScope.() -> Unit): RetryPolicy = RetryPolicyScope.read(block)

/**
 * The body of [retryPolicy]. Setting a curve (`fixed`, `linear`, `exponential`) removes the cap and the jitter of the
 * standard policy.
 */
@RunledgerDsl
public class RetryPolicyScope internal constructor(private val policy: RetryPolicy.Builder) {
    /** Waits the same time before each retry. */
    public fun fixed(wait: Duration) {
        policy.fixed(wait.toJavaDuration())
    }

    /** Makes each wait longer than the previous one by [increment]. */
    public fun linear(initial: Duration, increment: Duration) {
        policy.linear(initial.toJavaDuration(), increment.toJavaDuration())
    }

    /** Multiplies each wait by [factor], 1 or more. */
    public fun exponential(initial: Duration, factor: Double) {
        policy.exponential(initial.toJavaDuration(), factor)
    }

    /** Sets the maximum wait before jitter. */
    public fun cap(max: Duration) {
        policy.cap(max.toJavaDuration())
    }

    /** Spreads the retries of jobs that failed at the same time. */
    public fun jitter(jitter: Jitter) {
        policy.jitter(jitter)
    }

    /** Adds a rule for specific failures; the first rule that matches applies. */
    public fun rule(rule: RetryRule) {
        policy.rule(rule)
    }

    /** Also retries after an `Error`. */
    public fun retryPanics() {
        policy.retryPanics()
    }

    internal companion object {
        @JvmSynthetic
        internal fun read(block: RetryPolicyScope.() -> Unit): RetryPolicy =
            RetryPolicy.builder().also { RetryPolicyScope(it).block() }.build()
    }
}

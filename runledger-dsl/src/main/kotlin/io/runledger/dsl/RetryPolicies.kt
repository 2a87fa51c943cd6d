package io.runledger.dsl

import io.runledger.model.policy.Jitter
import io.runledger.model.policy.RetryPolicy
import io.runledger.model.policy.RetryRule
import kotlin.time.Duration
import kotlin.time.toJavaDuration

/**
 * Declares a retry policy, beginning with the standard one.
 *
 * `retryPolicy { exponential(5.seconds, 2.0); cap(10.minutes); rule(RetryRule.onCode("mail.bounced").giveUp()) }`
 *
 * @throws io.runledger.model.error.InvalidRequestException with `job.invalid_retry_policy` for a value out of range
 */
@JvmSynthetic
public fun retryPolicy(block: RetryPolicyScope.() -> Unit): RetryPolicy = RetryPolicyScope.read(block)

/** The body of [retryPolicy]. Choosing how waits grow drops cap and jitter of the standard policy. */
@RunledgerDsl
public class RetryPolicyScope internal constructor(private val policy: RetryPolicy.Builder) {
    /** Always the same wait. */
    public fun fixed(wait: Duration) {
        policy.fixed(wait.toJavaDuration())
    }

    /** Each wait longer than the one before by [increment]. */
    public fun linear(initial: Duration, increment: Duration) {
        policy.linear(initial.toJavaDuration(), increment.toJavaDuration())
    }

    /** Each wait longer than the one before by [factor], 1 or more. */
    public fun exponential(initial: Duration, factor: Double) {
        policy.exponential(initial.toJavaDuration(), factor)
    }

    /** The longest wait, before jitter. */
    public fun cap(max: Duration) {
        policy.cap(max.toJavaDuration())
    }

    /** Moves the waits, so that jobs that failed together come back apart. */
    public fun jitter(jitter: Jitter) {
        policy.jitter(jitter)
    }

    /** What to do about failures of one sort; the first rule that matches decides. */
    public fun rule(rule: RetryRule) {
        policy.rule(rule)
    }

    /** Tries again after an `Error` too. */
    public fun retryPanics() {
        policy.retryPanics()
    }

    internal companion object {
        @JvmSynthetic
        internal fun read(block: RetryPolicyScope.() -> Unit): RetryPolicy =
            RetryPolicy.builder().also { RetryPolicyScope(it).block() }.build()
    }
}

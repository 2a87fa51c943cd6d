package io.runledger.dsl

import io.runledger.model.retry.Backoff
import io.runledger.model.retry.Jitter
import io.runledger.model.retry.RetryPolicy
import io.runledger.model.retry.RetryRule
import kotlin.reflect.KClass
import kotlin.time.Duration
import kotlin.time.toJavaDuration

/**
 * Declares a retry policy, starting from the standard policy.
 *
 * `retryPolicy { exponential(5.seconds, 2.0); cap(10.minutes); giveUpOn("mail.bounced") }`
 *
 * @throws io.runledger.model.error.InvalidRequestException with `job.invalid_retry_policy` if a value is out of range
 */
@JvmSynthetic
public fun retryPolicy(block: RetryPolicyScope.() -> Unit): RetryPolicy = RetryPolicyScope.read(block)

/**
 * The wait before a retry. Setting a curve (`fixed`, `linear`, `exponential`) removes the cap and the jitter of the
 * standard policy.
 */
@RunledgerDsl
public open class BackoffScope internal constructor() {
    @get:JvmSynthetic
    internal val backoff: Backoff.Builder = Backoff.builder()

    /** Waits the same time before each retry. */
    public fun fixed(wait: Duration) {
        backoff.fixed(wait.toJavaDuration())
    }

    /** Makes each wait longer than the previous one by [increment]. */
    public fun linear(initial: Duration, increment: Duration) {
        backoff.linear(initial.toJavaDuration(), increment.toJavaDuration())
    }

    /** Multiplies each wait by [factor], 1 or more. */
    public fun exponential(initial: Duration, factor: Double) {
        backoff.exponential(initial.toJavaDuration(), factor)
    }

    /** Sets the maximum wait before jitter. */
    public fun cap(max: Duration) {
        backoff.cap(max.toJavaDuration())
    }

    /** Spreads the retries of jobs that failed at the same time. */
    public fun jitter(jitter: Jitter) {
        backoff.jitter(jitter)
    }

    /** Makes a wait shorter or longer by up to a share of the wait; [ratio] is above 0 and at most 1. */
    public fun jitter(ratio: Double) {
        backoff.jitter(ratio)
    }

    /** Makes a wait shorter or longer by up to [spread]. */
    public fun jitter(spread: Duration) {
        backoff.jitter(spread.toJavaDuration())
    }
}

/** The body of [retryPolicy]: the wait, and rules for specific failures. The first rule that matches applies. */
@RunledgerDsl
public class RetryPolicyScope internal constructor(private val policy: RetryPolicy.Builder) : BackoffScope() {
    /**
     * Retries a failure [code], or a family of codes such as `mail.*`, with its own wait. The cap and the jitter of the
     * policy do not apply to it.
     */
    public fun retryOn(code: String, wait: BackoffScope.() -> Unit) {
        policy.rule(RetryRule.onCode(code).retry(waiting(wait)))
    }

    /** Retries the exception [type] and its subclasses with their own wait; see the other `retryOn`. */
    public fun retryOn(type: KClass<out Throwable>, wait: BackoffScope.() -> Unit) {
        policy.rule(RetryRule.onException(type.java).retry(waiting(wait)))
    }

    /** Does not retry a failure [code], or a family of codes such as `mail.*`. */
    public fun giveUpOn(code: String) {
        policy.giveUpOn(code)
    }

    /** Does not retry the exception [type] and its subclasses. */
    public fun giveUpOn(type: KClass<out Throwable>) {
        policy.giveUpOn(type.java)
    }

    /** Adds a rule for specific failures. */
    public fun rule(rule: RetryRule) {
        policy.rule(rule)
    }

    /** Also retries after an `Error`. */
    public fun retryPanics() {
        policy.retryPanics()
    }

    internal companion object {
        @JvmSynthetic
        internal fun read(block: RetryPolicyScope.() -> Unit): RetryPolicy {
            val policy = RetryPolicy.builder()
            val scope = RetryPolicyScope(policy).apply(block)
            return policy.backoff(scope.backoff.build()).build()
        }

        private fun waiting(wait: BackoffScope.() -> Unit): Backoff = BackoffScope().apply(wait).backoff.build()
    }
}

package io.runledger.dsl

import io.runledger.model.job.JobSettings
import io.runledger.model.retry.RetryPolicy
import kotlin.time.Duration
import kotlin.time.toJavaDuration

/** The settings that the bodies of a job request, a job step and a job type have in common. */
@RunledgerDsl
public sealed class JobSettingsScope(private val settings: JobSettings.Builder<*>) {
    /** A larger number is claimed earlier. */
    public fun priority(priority: Int) {
        settings.priority(priority)
    }

    /** Sets the maximum number of attempts, 1 or more. */
    public fun maxAttempts(maxAttempts: Int) {
        settings.maxAttempts(maxAttempts)
    }

    /** Sets the maximum duration of an attempt; at least one second, rounded up to whole seconds. */
    public fun timeout(timeout: Duration) {
        settings.timeout(timeout.toJavaDuration())
    }

    /** Sets the retry policy. On a job or step, it overrides the retry policy of the job type. */
    public fun retryPolicy(retryPolicy: RetryPolicy) {
        settings.retryPolicy(retryPolicy)
    }

    /** Sets the retry policy. On a job or step, it overrides the retry policy of the job type. */
    public fun retryPolicy(block: RetryPolicyScope.() -> Unit) {
        settings.retryPolicy(RetryPolicyScope.read(block))
    }
}

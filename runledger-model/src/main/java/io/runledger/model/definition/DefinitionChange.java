package io.runledger.model.definition;

import io.runledger.model.error.ErrorCode;
import io.runledger.model.error.InvalidRequestException;
import io.runledger.model.retry.RetryPolicy;
import io.runledger.model.value.SettingRules;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * New defaults of a job type, set by an operator. They override the declaration. Values that are null are not changed.
 *
 * @param maxAttempts default number of attempts
 * @param timeout maximum duration of an attempt, in whole seconds
 * @param priority default priority; a larger number is claimed earlier
 */
public record DefinitionChange(
        @Nullable Integer maxAttempts,
        @Nullable Duration timeout,
        @Nullable Integer priority,
        @Nullable RetryPolicy retryPolicy) {
    /** @throws InvalidRequestException with the code of the first invalid value */
    public DefinitionChange {
        if (maxAttempts != null) {
            SettingRules.refuse(ErrorCode.INVALID_MAX_ATTEMPTS, SettingRules.maxAttemptsProblem(maxAttempts));
        }
        if (timeout != null) {
            SettingRules.refuse(ErrorCode.INVALID_TIMEOUT, SettingRules.timeoutProblem(timeout));
            timeout = Duration.ofSeconds(SettingRules.seconds(timeout));
        }
    }

    /** A change that keeps every default. */
    public static DefinitionChange none() {
        return new DefinitionChange(null, null, null, null);
    }

    /** @param maxAttempts 1 or more */
    public DefinitionChange withMaxAttempts(int maxAttempts) {
        return new DefinitionChange(maxAttempts, timeout, priority, retryPolicy);
    }

    /** @param timeout one second or more, rounded up to whole seconds */
    public DefinitionChange withTimeout(Duration timeout) {
        return new DefinitionChange(maxAttempts, timeout, priority, retryPolicy);
    }

    /** @param priority any number; a larger number is claimed earlier */
    public DefinitionChange withPriority(int priority) {
        return new DefinitionChange(maxAttempts, timeout, priority, retryPolicy);
    }

    /**
     * Changes the retry policy, also for queued jobs that have none of their own.
     *
     * @param retryPolicy {@link RetryPolicy#standard()} restores the default
     */
    public DefinitionChange withRetryPolicy(RetryPolicy retryPolicy) {
        return new DefinitionChange(maxAttempts, timeout, priority, retryPolicy);
    }
}

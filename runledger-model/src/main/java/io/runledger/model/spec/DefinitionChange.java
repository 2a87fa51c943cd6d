package io.runledger.model.spec;

import io.runledger.model.error.ErrorCode;
import io.runledger.model.error.InvalidRequestException;
import io.runledger.model.policy.RetryPolicy;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * New defaults for a job type, which stand whatever code declares; what is null stays as it is.
 *
 * @param maxAttempts attempts of a job that names none
 * @param timeout how long one attempt may run, in whole seconds
 * @param priority priority of a job that names none; larger is claimed earlier
 * @param retryPolicy how failures are retried
 */
public record DefinitionChange(
        @Nullable Integer maxAttempts,
        @Nullable Duration timeout,
        @Nullable Integer priority,
        @Nullable RetryPolicy retryPolicy) {
    /**
     * Checks every value that is given.
     *
     * @param maxAttempts see the record
     * @param timeout see the record
     * @param priority see the record
     * @param retryPolicy see the record
     * @throws InvalidRequestException with the code of the first value that is not valid
     */
    public DefinitionChange {
        if (maxAttempts != null) {
            JobRequest.refuse(ErrorCode.INVALID_MAX_ATTEMPTS, Setting.maxAttemptsProblem(maxAttempts));
        }
        if (timeout != null) {
            JobRequest.refuse(ErrorCode.INVALID_TIMEOUT, Setting.timeoutProblem(timeout));
            timeout = Duration.ofSeconds(Setting.seconds(timeout));
        }
    }

    /**
     * A change of nothing, to go on from.
     *
     * @return a change that keeps every default
     */
    public static DefinitionChange none() {
        return new DefinitionChange(null, null, null, null);
    }

    /**
     * Changes how often a job is tried.
     *
     * @param maxAttempts 1 or more
     * @return a copy with that number
     */
    public DefinitionChange withMaxAttempts(int maxAttempts) {
        return new DefinitionChange(maxAttempts, timeout, priority, retryPolicy);
    }

    /**
     * Changes how long one attempt may run.
     *
     * @param timeout one second or more, rounded up to whole seconds
     * @return a copy with that timeout
     */
    public DefinitionChange withTimeout(Duration timeout) {
        return new DefinitionChange(maxAttempts, timeout, priority, retryPolicy);
    }

    /**
     * Changes the priority.
     *
     * @param priority any number; larger is claimed earlier
     * @return a copy with that priority
     */
    public DefinitionChange withPriority(int priority) {
        return new DefinitionChange(maxAttempts, timeout, priority, retryPolicy);
    }

    /**
     * Changes how failures are retried, also of jobs that are queued already and name no policy of their own.
     *
     * @param retryPolicy the policy; {@link RetryPolicy#standard()} to go back to the standard one
     * @return a copy with that policy
     */
    public DefinitionChange withRetryPolicy(RetryPolicy retryPolicy) {
        return new DefinitionChange(maxAttempts, timeout, priority, retryPolicy);
    }
}

package io.runledger.model.policy;

import io.runledger.model.error.ErrorCode;
import io.runledger.model.error.InvalidRequestException;
import org.jspecify.annotations.Nullable;

/**
 * How one step of a machine is tried again, where that differs from what the machine's job says. Attempts count anew in every
 * step. It can only narrow the job's own number of attempts; an attempt whose worker vanished is judged by the job's number alone.
 *
 * @param maxAttempts how often the step is tried
 * @param retryPolicy whether and when, or null for the job's own policy
 */
public record StepRetries(int maxAttempts, @Nullable RetryPolicy retryPolicy) {
    /**
     * Checks the number.
     *
     * @param maxAttempts see the record
     * @param retryPolicy see the record
     * @throws InvalidRequestException with {@code job.invalid_max_attempts} for less than one attempt
     */
    public StepRetries {
        if (maxAttempts < 1) {
            throw new InvalidRequestException(
                    ErrorCode.INVALID_MAX_ATTEMPTS,
                    "maxAttempts is " + maxAttempts + ": a step is tried once or more.");
        }
    }

    /**
     * At most so many attempts, with the job's own policy between them.
     *
     * @param maxAttempts 1 or more
     * @return the retries
     * @throws InvalidRequestException with {@code job.invalid_max_attempts} for less than one attempt
     */
    public static StepRetries atMost(int maxAttempts) {
        return new StepRetries(maxAttempts, null);
    }

    /**
     * At most so many attempts, with a policy of the step's own between them.
     *
     * @param maxAttempts 1 or more
     * @param retryPolicy whether and when
     * @return the retries
     * @throws InvalidRequestException with {@code job.invalid_max_attempts} for less than one attempt
     */
    public static StepRetries atMost(int maxAttempts, RetryPolicy retryPolicy) {
        return new StepRetries(maxAttempts, retryPolicy);
    }
}

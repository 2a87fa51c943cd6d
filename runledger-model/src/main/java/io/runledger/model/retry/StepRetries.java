package io.runledger.model.retry;

import io.runledger.model.error.ErrorCode;
import io.runledger.model.error.InvalidRequestException;
import org.jspecify.annotations.Nullable;

/**
 * The retry settings of one step of a machine. Attempts are counted per step. The number of attempts cannot exceed that
 * of the job. If a lease expires, only the number of the job applies.
 *
 * @param maxAttempts maximum number of attempts of the step
 * @param retryPolicy null for the retry policy of the job
 */
public record StepRetries(int maxAttempts, @Nullable RetryPolicy retryPolicy) {
    /** @throws InvalidRequestException with {@code job.invalid_max_attempts} if the number is below 1 */
    public StepRetries {
        if (maxAttempts < 1) {
            throw new InvalidRequestException(
                    ErrorCode.INVALID_MAX_ATTEMPTS,
                    "maxAttempts is " + maxAttempts + ": a step needs at least 1 attempt.");
        }
    }

    /**
     * Limits the attempts; the retry policy of the job applies.
     *
     * @param maxAttempts 1 or more
     * @throws InvalidRequestException with {@code job.invalid_max_attempts} if the number is below 1
     */
    public static StepRetries atMost(int maxAttempts) {
        return new StepRetries(maxAttempts, null);
    }

    /**
     * Limits the attempts and sets a retry policy for the step.
     *
     * @param maxAttempts 1 or more
     * @throws InvalidRequestException with {@code job.invalid_max_attempts} if the number is below 1
     */
    public static StepRetries atMost(int maxAttempts, RetryPolicy retryPolicy) {
        return new StepRetries(maxAttempts, retryPolicy);
    }
}

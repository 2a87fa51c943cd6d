package io.runledger.model.retry;

import java.util.Objects;
import java.util.UUID;

/**
 * The attempt that ended and the attempts that the job has left.
 *
 * @param attempt number of the attempt within the run, from 1
 * @param interruptions number of earlier attempts that were released and do not count
 */
public record AttemptBudget(UUID jobId, int attempt, int maxAttempts, int interruptions) {
    /** @throws IllegalArgumentException if the numbers contradict each other */
    public AttemptBudget {
        Objects.requireNonNull(jobId, "job id");
        if (attempt < 1 || maxAttempts < 1 || interruptions < 0 || interruptions >= attempt) {
            throw new IllegalArgumentException("attempt " + attempt + " of " + maxAttempts + " with " + interruptions
                    + " interruptions: attempts count from 1, and interruptions were attempts before this one");
        }
    }

    /**
     * An attempt of a run without interruptions.
     *
     * @param attempt number of the attempt within the run, from 1
     */
    public static AttemptBudget of(UUID jobId, int attempt, int maxAttempts) {
        return new AttemptBudget(jobId, attempt, maxAttempts, 0);
    }

    /** The number of attempts that count, including this one; 1 or more. */
    public int spent() {
        return attempt - interruptions;
    }

    /** Whether no attempt is left. */
    public boolean isLast() {
        return spent() >= maxAttempts;
    }
}

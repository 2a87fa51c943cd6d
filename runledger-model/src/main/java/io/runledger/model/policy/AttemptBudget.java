package io.runledger.model.policy;

import java.util.Objects;
import java.util.UUID;

/**
 * What settling needs to know about the attempt that ended.
 *
 * @param jobId the job
 * @param attempt which attempt of the run it was, from 1
 * @param maxAttempts how many may be spent
 * @param interruptions how many of the attempts before it were given back and do not count
 */
public record AttemptBudget(UUID jobId, int attempt, int maxAttempts, int interruptions) {
    /**
     * Checks the numbers.
     *
     * @param jobId see the record
     * @param attempt see the record
     * @param maxAttempts see the record
     * @param interruptions see the record
     * @throws IllegalArgumentException for numbers no ledger can hold
     */
    public AttemptBudget {
        Objects.requireNonNull(jobId, "job id");
        if (attempt < 1 || maxAttempts < 1 || interruptions < 0 || interruptions >= attempt) {
            throw new IllegalArgumentException("attempt " + attempt + " of " + maxAttempts + " with " + interruptions
                    + " interruptions: attempts count from 1, and interruptions were attempts before this one");
        }
    }

    /**
     * An attempt of a job that was never interrupted.
     *
     * @param jobId the job
     * @param attempt which attempt it was, from 1
     * @param maxAttempts how many may be spent
     * @return the facts
     */
    public static AttemptBudget of(UUID jobId, int attempt, int maxAttempts) {
        return new AttemptBudget(jobId, attempt, maxAttempts, 0);
    }

    /**
     * How many attempts are spent, this one included.
     *
     * @return 1 or more
     */
    public int spent() {
        return attempt - interruptions;
    }

    /**
     * Whether this was the last one.
     *
     * @return true when no attempt is left
     */
    public boolean isLast() {
        return spent() >= maxAttempts;
    }
}

package io.runledger.model.policy;

import io.runledger.model.error.InvalidRequestException;
import java.time.Duration;
import java.util.UUID;

/**
 * What keeps jobs that failed together from coming back together. Not random: the same job and attempt always get the same
 * offset, so a delay can be computed again and tested.
 */
public sealed interface Jitter {
    /** Which of the jitters it is. */
    enum Kind {
        /** {@link None}. */
        NONE,
        /** {@link Spread}. */
        SPREAD,
        /** {@link Ratio}. */
        RATIO
    }

    /**
     * Which jitter it is.
     *
     * @return a constant to switch on
     */
    Kind kind();

    /**
     * How far to move a wait.
     *
     * @param millis the wait
     * @param attempt which attempt failed
     * @param jobId whose
     * @return milliseconds to add; may be negative
     */
    long offset(long millis, int attempt, UUID jobId);

    /**
     * No jitter.
     *
     * @return the one without effect
     */
    static Jitter none() {
        return new None();
    }

    /**
     * Up to this much earlier or later, the same for all attempts of a job.
     *
     * @param by the largest offset
     * @return the jitter
     * @throws InvalidRequestException with {@code job.invalid_retry_policy} for a span that is not positive or above 24 days
     */
    static Jitter spread(Duration by) {
        return new Spread(by);
    }

    /**
     * Up to this share of the wait earlier or later, different for each attempt.
     *
     * @param by the largest offset as a share of the wait, for example 0.2; above 0 and at most 1
     * @return the jitter
     * @throws InvalidRequestException with {@code job.invalid_retry_policy} for another share
     */
    static Jitter ratio(double by) {
        return new Ratio(by);
    }

    /** No jitter. */
    record None() implements Jitter {
        @Override
        public Kind kind() {
            return Kind.NONE;
        }

        @Override
        public long offset(long millis, int attempt, UUID jobId) {
            return 0;
        }
    }

    /**
     * A constant offset per job: its id, as an unsigned number of 128 bits, modulo twice the spread, less the spread.
     *
     * @param by the largest offset, rounded up to the millisecond
     */
    record Spread(Duration by) implements Jitter {
        /**
         * Checks the span.
         *
         * @param by see the record
         * @throws InvalidRequestException with {@code job.invalid_retry_policy} for a span that is not positive or above 24 days
         */
        public Spread {
            by = Limits.duration(by, "jitter.spread");
        }

        @Override
        public Kind kind() {
            return Kind.SPREAD;
        }

        @Override
        public long offset(long millis, int attempt, UUID jobId) {
            return JobHash.modulo(jobId, 2 * by.toMillis()) - by.toMillis();
        }
    }

    /**
     * An offset in proportion to the wait.
     *
     * @param by the largest offset as a share of the wait
     */
    record Ratio(double by) implements Jitter {
        /**
         * Checks the share.
         *
         * @param by see the record
         * @throws InvalidRequestException with {@code job.invalid_retry_policy} unless it lies above 0 and is at most 1
         */
        public Ratio {
            by = Limits.ratio(by, "jitter.ratio");
        }

        @Override
        public Kind kind() {
            return Kind.RATIO;
        }

        @Override
        public long offset(long millis, int attempt, UUID jobId) {
            return Math.round(millis * by * JobHash.balanced(jobId, attempt));
        }
    }
}

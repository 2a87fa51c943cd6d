package io.runledger.model.retry;

import io.runledger.model.error.InvalidRequestException;
import java.time.Duration;
import java.util.UUID;

/**
 * Spreads the retries of jobs that failed at the same time. Jitter is deterministic: the same job and attempt always
 * get the same offset, so a delay can be recomputed and tested.
 */
public sealed interface Jitter {
    enum Kind {
        /** {@link None}. */
        NONE,
        /** {@link Spread}. */
        SPREAD,
        /** {@link Ratio}. */
        RATIO
    }

    Kind kind();

    /**
     * The offset of a wait.
     *
     * @param attempt number of the failed attempt
     * @return milliseconds to add; may be negative
     */
    long offset(long millis, int attempt, UUID jobId);

    /** No jitter. */
    static Jitter none() {
        return new None();
    }

    /**
     * Makes a wait shorter or longer by up to {@code by}, with the same offset for all attempts of a job.
     *
     * @throws InvalidRequestException with {@code job.invalid_retry_policy} if a duration is not positive or exceeds 24
     *     days
     */
    static Jitter spread(Duration by) {
        return new Spread(by);
    }

    /**
     * Makes a wait shorter or longer by up to a share of the wait, with another offset for each attempt.
     *
     * @param by maximum offset as a share of the wait, for example 0.2; above 0 and at most 1
     * @throws InvalidRequestException with {@code job.invalid_retry_policy} if the share is out of range
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
     * A constant offset per job: the job id as an unsigned 128-bit number, modulo twice the spread, minus the spread.
     *
     * @param by maximum offset, rounded up to the millisecond
     */
    record Spread(Duration by) implements Jitter {
        /**
         * @throws InvalidRequestException with {@code job.invalid_retry_policy} if a duration is not positive or
         *     exceeds 24 days
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
     * @param by maximum offset as a share of the wait
     */
    record Ratio(double by) implements Jitter {
        /**
         * @throws InvalidRequestException with {@code job.invalid_retry_policy} unless the ratio is above 0 and at most
         *     1
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

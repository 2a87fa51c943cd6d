package io.runledger.model.retry;

import io.runledger.model.error.InvalidRequestException;
import java.time.Duration;

/** The growth of the wait from attempt to attempt, before cap and jitter. It never decreases and never overflows. */
public sealed interface Curve {
    enum Kind {
        /** {@link Fixed}. */
        FIXED,
        /** {@link Linear}. */
        LINEAR,
        /** {@link Exponential}. */
        EXPONENTIAL
    }

    Kind kind();

    /** The wait after the first failed attempt. */
    Duration initial();

    /**
     * The wait after a failed attempt, in milliseconds.
     *
     * @param attempt number of the failed attempt, from 1; a smaller number counts as 1
     * @return 1 to {@link Integer#MAX_VALUE}
     */
    long millisAfter(int attempt);

    /**
     * Waits the same time before each retry.
     *
     * @param initial the wait, rounded up to the millisecond
     */
    record Fixed(Duration initial) implements Curve {
        /**
         * @throws InvalidRequestException with {@code job.invalid_retry_policy} if the wait is not positive or exceeds
         *     24 days
         */
        public Fixed {
            initial = Limits.duration(initial, "initial");
        }

        @Override
        public Kind kind() {
            return Kind.FIXED;
        }

        @Override
        public long millisAfter(int attempt) {
            return initial.toMillis();
        }
    }

    /**
     * Makes each wait longer than the previous one by a fixed increment.
     *
     * @param initial the first wait, rounded up to the millisecond
     * @param increment added for each further attempt; rounded up to the millisecond
     */
    record Linear(Duration initial, Duration increment) implements Curve {
        /**
         * @throws InvalidRequestException with {@code job.invalid_retry_policy} if a duration is not positive or
         *     exceeds 24 days
         */
        public Linear {
            initial = Limits.duration(initial, "initial");
            increment = Limits.duration(increment, "increment");
        }

        @Override
        public Kind kind() {
            return Kind.LINEAR;
        }

        @Override
        public long millisAfter(int attempt) {
            // Both factors fit 31 bits, so the product fits 62.
            long growth = increment.toMillis() * (Math.max(attempt, 1) - 1L);
            return Math.min(initial.toMillis() + growth, Integer.MAX_VALUE);
        }
    }

    /**
     * Makes each wait longer than the previous one by a fixed factor.
     *
     * @param initial the first wait, rounded up to the millisecond
     * @param factor multiplier for each further attempt; 1 or more
     */
    record Exponential(Duration initial, double factor) implements Curve {
        /**
         * @throws InvalidRequestException with {@code job.invalid_retry_policy} if the wait is not positive or exceeds
         *     24 days, or if the factor is below 1 or infinite
         */
        public Exponential {
            initial = Limits.duration(initial, "initial");
            factor = Limits.factor(factor, "factor");
        }

        @Override
        public Kind kind() {
            return Kind.EXPONENTIAL;
        }

        @Override
        public long millisAfter(int attempt) {
            // StrictMath gives the same delay on every machine. Infinity rounds to the largest long.
            double grown = initial.toMillis() * StrictMath.pow(factor, Math.max(attempt, 1) - 1.0);
            return Math.min(Math.round(grown), Integer.MAX_VALUE);
        }
    }
}

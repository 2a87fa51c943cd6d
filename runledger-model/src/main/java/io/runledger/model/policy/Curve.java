package io.runledger.model.policy;

import io.runledger.model.error.InvalidRequestException;
import java.time.Duration;

/** How waiting grows from attempt to attempt, before cap and jitter. Never shrinks, never overflows. */
public sealed interface Curve {
    /** Which of the curves it is. */
    enum Kind {
        /** {@link Fixed}. */
        FIXED,
        /** {@link Linear}. */
        LINEAR,
        /** {@link Exponential}. */
        EXPONENTIAL
    }

    /**
     * Which curve it is.
     *
     * @return a constant to switch on
     */
    Kind kind();

    /**
     * The wait after the first failed attempt.
     *
     * @return at least a millisecond
     */
    Duration initial();

    /**
     * The wait after an attempt failed.
     *
     * @param attempt which attempt failed, from 1; anything below counts as 1
     * @return milliseconds from 1 to {@link Integer#MAX_VALUE}
     */
    long millisAfter(int attempt);

    /**
     * Always the same wait.
     *
     * @param initial the wait, rounded up to the millisecond
     */
    record Fixed(Duration initial) implements Curve {
        /**
         * Checks the wait.
         *
         * @param initial see the record
         * @throws InvalidRequestException with {@code job.invalid_retry_policy} for a wait that is not positive or above 24 days
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
     * Each wait longer than the one before by the same span.
     *
     * @param initial the first wait, rounded up to the millisecond
     * @param increment what each further attempt adds, rounded up to the millisecond
     */
    record Linear(Duration initial, Duration increment) implements Curve {
        /**
         * Checks the spans.
         *
         * @param initial see the record
         * @param increment see the record
         * @throws InvalidRequestException with {@code job.invalid_retry_policy} for a span that is not positive or above 24 days
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
     * Each wait longer than the one before by the same factor.
     *
     * @param initial the first wait, rounded up to the millisecond
     * @param factor what each further attempt multiplies by; 1 or more
     */
    record Exponential(Duration initial, double factor) implements Curve {
        /**
         * Checks wait and factor.
         *
         * @param initial see the record
         * @param factor see the record
         * @throws InvalidRequestException with {@code job.invalid_retry_policy} for a wait that is not positive or above 24
         *     days, or a factor below 1 or without end
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
            // StrictMath: every machine computes the same delay. Infinity rounds to the largest long.
            double grown = initial.toMillis() * StrictMath.pow(factor, Math.max(attempt, 1) - 1.0);
            return Math.min(Math.round(grown), Integer.MAX_VALUE);
        }
    }
}

package io.runledger.model.retry;

import io.runledger.model.error.InvalidRequestException;
import java.time.Duration;
import java.util.Objects;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * The wait after a failed attempt: a curve, limited by a cap, plus jitter. Jitter is applied after the cap, so that
 * jobs that have reached the cap are still spread out. Jitter does not reduce a wait below one second.
 *
 * @param curve growth of the wait
 * @param cap maximum wait before jitter, rounded up to the millisecond
 */
public record Backoff(Curve curve, Duration cap, Jitter jitter) {
    private static final long JITTER_FLOOR_MILLIS = 1000;

    /**
     * @throws InvalidRequestException with {@code job.invalid_retry_policy} if the cap is not positive or exceeds 24
     *     days
     */
    public Backoff {
        Objects.requireNonNull(curve, "curve");
        Objects.requireNonNull(jitter, "jitter");
        cap = Limits.duration(cap, "cap");
    }

    /**
     * Waits the same time before each retry.
     *
     * @throws InvalidRequestException with {@code job.invalid_retry_policy} if the wait is not positive or exceeds 24
     *     days
     */
    public static Backoff fixed(Duration wait) {
        return of(new Curve.Fixed(wait));
    }

    /**
     * Makes each wait longer than the previous one by a fixed increment.
     *
     * @throws InvalidRequestException with {@code job.invalid_retry_policy} if a duration is not positive or exceeds 24
     *     days
     */
    public static Backoff linear(Duration initial, Duration increment) {
        return of(new Curve.Linear(initial, increment));
    }

    /**
     * Makes each wait longer than the previous one by a fixed factor.
     *
     * @param factor multiplier for each further attempt; 1 or more
     * @throws InvalidRequestException with {@code job.invalid_retry_policy} if the wait or the factor is out of range
     */
    public static Backoff exponential(Duration initial, double factor) {
        return of(new Curve.Exponential(initial, factor));
    }

    /**
     * Returns a copy with another cap.
     *
     * @param cap maximum wait before jitter
     * @throws InvalidRequestException with {@code job.invalid_retry_policy} if the cap is not positive or exceeds 24
     *     days
     */
    public Backoff withCap(Duration cap) {
        return new Backoff(curve, cap, jitter);
    }

    /** Returns a copy with another jitter. */
    public Backoff withJitter(Jitter jitter) {
        return new Backoff(curve, cap, jitter);
    }

    /**
     * The wait after a failed attempt. The result is the same for the same arguments.
     *
     * @param attempt number of the failed attempt, from 1; a smaller number counts as 1
     * @return 1 to {@link Integer#MAX_VALUE} milliseconds
     */
    public Duration delayAfter(int attempt, UUID jobId) {
        long plain = Math.min(curve.millisAfter(attempt), cap.toMillis());
        long floor = Math.min(plain, JITTER_FLOOR_MILLIS);
        long moved = Math.max(plain + jitter.offset(plain, attempt, jobId), floor);
        return Duration.ofMillis(Math.min(moved, Integer.MAX_VALUE));
    }

    static Backoff of(Curve curve) {
        return new Backoff(curve, Limits.LONGEST, Jitter.none());
    }

    /** Starts from the backoff of the standard policy. */
    public static Builder builder() {
        return new Builder(RetryPolicy.standard().backoff());
    }

    /**
     * Builds a backoff. The order of calls does not matter. Setting a curve removes the cap and the jitter of the
     * initial backoff. Not thread-safe.
     */
    public static final class Builder {
        private final Backoff start;
        private @Nullable Curve curve;
        private @Nullable Duration cap;
        private @Nullable Jitter jitter;

        Builder(Backoff start) {
            this.start = Objects.requireNonNull(start, "backoff");
        }

        /**
         * Waits the same time before each retry.
         *
         * @throws InvalidRequestException with {@code job.invalid_retry_policy} if the wait is not positive or exceeds
         *     24 days
         */
        public Builder fixed(Duration wait) {
            curve = new Curve.Fixed(wait);
            return this;
        }

        /**
         * Makes each wait longer than the previous one by a fixed increment.
         *
         * @throws InvalidRequestException with {@code job.invalid_retry_policy} if a duration is not positive or
         *     exceeds 24 days
         */
        public Builder linear(Duration initial, Duration increment) {
            curve = new Curve.Linear(initial, increment);
            return this;
        }

        /**
         * Makes each wait longer than the previous one by a fixed factor.
         *
         * @param factor multiplier for each further attempt; 1 or more
         * @throws InvalidRequestException with {@code job.invalid_retry_policy} if the wait or the factor is out of
         *     range
         */
        public Builder exponential(Duration initial, double factor) {
            curve = new Curve.Exponential(initial, factor);
            return this;
        }

        /**
         * @param max maximum wait before jitter
         * @throws InvalidRequestException with {@code job.invalid_retry_policy} if the cap is not positive or exceeds
         *     24 days
         */
        public Builder cap(Duration max) {
            cap = Limits.duration(max, "cap");
            return this;
        }

        public Builder jitter(Jitter jitter) {
            this.jitter = Objects.requireNonNull(jitter, "jitter");
            return this;
        }

        /**
         * Makes a wait shorter or longer by up to a share of the wait; see {@link Jitter#ratio}.
         *
         * @param ratio above 0 and at most 1, for example 0.2
         * @throws InvalidRequestException with {@code job.invalid_retry_policy} if the share is out of range
         */
        public Builder jitter(double ratio) {
            return jitter(Jitter.ratio(ratio));
        }

        /**
         * Makes a wait shorter or longer by up to a duration; see {@link Jitter#spread}.
         *
         * @throws InvalidRequestException with {@code job.invalid_retry_policy} if the duration is not positive or
         *     exceeds 24 days
         */
        public Builder jitter(Duration spread) {
            return jitter(Jitter.spread(spread));
        }

        /** The builder can be reused after this call. */
        public Backoff build() {
            Backoff backoff = curve == null ? start : Backoff.of(curve);
            backoff = cap == null ? backoff : backoff.withCap(cap);
            return jitter == null ? backoff : backoff.withJitter(jitter);
        }
    }
}

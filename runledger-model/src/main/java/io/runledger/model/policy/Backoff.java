package io.runledger.model.policy;

import io.runledger.model.error.InvalidRequestException;
import java.time.Duration;
import java.util.Objects;
import java.util.UUID;

/**
 * How long to wait after a failed attempt: a curve, cut at a cap, moved by jitter. The jitter comes on top of the cap, so
 * that jobs which have reached it still come back apart; it brings no wait below one second that was not shorter before.
 *
 * @param curve how waiting grows
 * @param cap the longest wait before jitter, rounded up to the millisecond
 * @param jitter what moves it
 */
public record Backoff(Curve curve, Duration cap, Jitter jitter) {
    private static final long JITTER_FLOOR_MILLIS = 1000;

    /**
     * Checks the cap.
     *
     * @param curve see the record
     * @param cap see the record
     * @param jitter see the record
     * @throws InvalidRequestException with {@code job.invalid_retry_policy} for a cap that is not positive or above 24 days
     */
    public Backoff {
        Objects.requireNonNull(curve, "curve");
        Objects.requireNonNull(jitter, "jitter");
        cap = Limits.duration(cap, "cap");
    }

    /**
     * Always the same wait.
     *
     * @param wait the wait
     * @return a backoff without cap and jitter
     * @throws InvalidRequestException with {@code job.invalid_retry_policy} for a wait that is not positive or above 24 days
     */
    public static Backoff fixed(Duration wait) {
        return of(new Curve.Fixed(wait));
    }

    /**
     * Each wait longer than the one before by the same span.
     *
     * @param initial the first wait
     * @param increment what each further attempt adds
     * @return a backoff without cap and jitter
     * @throws InvalidRequestException with {@code job.invalid_retry_policy} for a span that is not positive or above 24 days
     */
    public static Backoff linear(Duration initial, Duration increment) {
        return of(new Curve.Linear(initial, increment));
    }

    /**
     * Each wait longer than the one before by the same factor.
     *
     * @param initial the first wait
     * @param factor what each further attempt multiplies by; 1 or more
     * @return a backoff without cap and jitter
     * @throws InvalidRequestException with {@code job.invalid_retry_policy} for a wait or factor out of range
     */
    public static Backoff exponential(Duration initial, double factor) {
        return of(new Curve.Exponential(initial, factor));
    }

    /**
     * The same curve, cut at a cap.
     *
     * @param cap the longest wait before jitter
     * @return a copy
     * @throws InvalidRequestException with {@code job.invalid_retry_policy} for a cap that is not positive or above 24 days
     */
    public Backoff withCap(Duration cap) {
        return new Backoff(curve, cap, jitter);
    }

    /**
     * The same curve, moved by jitter.
     *
     * @param jitter what moves it
     * @return a copy
     */
    public Backoff withJitter(Jitter jitter) {
        return new Backoff(curve, cap, jitter);
    }

    /**
     * How long to wait.
     *
     * @param attempt which attempt failed, from 1; anything below counts as 1
     * @param jobId whose
     * @return from 1 to {@link Integer#MAX_VALUE} milliseconds, the same for the same arguments
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
}

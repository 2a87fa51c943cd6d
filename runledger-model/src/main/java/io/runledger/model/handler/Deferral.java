package io.runledger.model.handler;

import io.runledger.model.error.ErrorCode;
import io.runledger.model.error.InvalidRequestException;
import io.runledger.model.failure.JobFailure;
import io.runledger.model.value.StorableValues;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * The settings with which a job waits for a condition: the interval of the checks, the limit, and the result at the
 * limit. Between two checks the job occupies no slot of a worker and survives restarts. A check does not count as an
 * attempt.
 *
 * @param interval time between two checks
 * @param limit maximum time, counted from the first attempt of the run, or null for no limit
 * @param failure failure of the job at the limit, or null to proceed as if the condition were met
 */
public record Deferral(
        Duration interval,
        @Nullable Duration limit,
        @Nullable JobFailure failure) {
    private static final JobFailure EXPIRED =
            JobFailure.terminal(ErrorCode.DEFERRAL_EXPIRED.wire(), ErrorCode.DEFERRAL_EXPIRED.message());

    /** A condition that a job waits for. It is checked repeatedly, so the check should be cheap. */
    @FunctionalInterface
    public interface Condition {
        /** @throws Exception of any kind; treated as a failure of the handler */
        boolean isMet() throws Exception;
    }

    /** @throws InvalidRequestException with {@code job.invalid_delay} if a duration is not positive or too long */
    public Deferral {
        interval = positive(interval, "interval");
        limit = limit == null ? null : positive(limit, "limit");
    }

    /**
     * Checks at an interval, without a limit.
     *
     * @param interval time between two checks
     * @throws InvalidRequestException with {@code job.invalid_delay} if the interval is not positive or too long
     */
    public static Deferral every(Duration interval) {
        return new Deferral(interval, null, EXPIRED);
    }

    /**
     * Returns a copy with a limit, counted from the first attempt of the run. At the limit the job fails permanently
     * with {@code job.deferral_expired}, unless {@link #orFail} or {@link #orGoOn} is used.
     *
     * @throws InvalidRequestException with {@code job.invalid_delay} if the limit is not positive or too long
     */
    public Deferral within(Duration limit) {
        return new Deferral(interval, limit, failure);
    }

    /**
     * Returns a copy that fails permanently with this code at the limit.
     *
     * @param message description for operators; null means none
     * @throws InvalidRequestException with {@code request.invalid} if the code cannot be stored
     */
    public Deferral orFail(String code, @Nullable String message) {
        return new Deferral(interval, limit, JobFailure.terminal(code, message));
    }

    /** Returns a copy that proceeds at the limit as if the condition were met. */
    public Deferral orGoOn() {
        return new Deferral(interval, limit, null);
    }

    /**
     * The outcome to return if the condition is not met, or null to proceed. The last check takes place at the limit,
     * not later.
     */
    public @Nullable JobOutcome unmet(JobContext<?> job) {
        if (limit == null) {
            return JobOutcome.snooze(interval);
        }
        Instant end = job.startedAt().plus(limit);
        if (!job.claimedAt().isBefore(end)) {
            return failure == null ? null : JobOutcome.failed(failure);
        }
        boolean isLastWait = !job.claimedAt().plus(interval).isBefore(end);
        return isLastWait ? JobOutcome.snoozeUntil(end) : JobOutcome.snooze(interval);
    }

    private static Duration positive(Duration time, String noun) {
        if (time.isZero()) {
            throw new InvalidRequestException(
                    ErrorCode.INVALID_DELAY, "The " + noun + " of a deferral is zero: use a positive duration.");
        }
        return StorableValues.delay(time, ErrorCode.INVALID_DELAY, noun + " of a deferral");
    }
}

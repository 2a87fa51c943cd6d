package io.runledger.model.run;

import io.runledger.model.error.ErrorCode;
import io.runledger.model.error.InvalidRequestException;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * How a job waits for something: how often it asks, for how long, and what becomes of it then. Between two questions the job is a
 * row that waits: it takes no worker's place, spends no attempt and survives every restart.
 *
 * @param interval how long to wait before asking again
 * @param limit for how long to ask, counted from the first attempt of the run, or null for as long as it takes
 * @param failure how the job fails when the limit is reached, or null to go on as if the condition were met
 */
public record Deferral(
        Duration interval,
        @Nullable Duration limit,
        @Nullable JobFailure failure) {
    private static final JobFailure EXPIRED =
            JobFailure.terminal(ErrorCode.DEFERRAL_EXPIRED.wire(), ErrorCode.DEFERRAL_EXPIRED.message());

    /** Something that may come about. Asked again and again, so asking should be cheap. */
    @FunctionalInterface
    public interface Condition {
        /**
         * Asks.
         *
         * @return true to go on
         * @throws Exception of any kind; counts as the handler's failure
         */
        boolean isMet() throws Exception;
    }

    /**
     * Checks the times.
     *
     * @param interval see the record
     * @param limit see the record
     * @param failure see the record
     * @throws InvalidRequestException with {@code job.invalid_delay} for a time that is not positive or too long
     */
    public Deferral {
        interval = positive(interval, "interval");
        limit = limit == null ? null : positive(limit, "limit");
    }

    /**
     * Asks at an interval, for as long as it takes.
     *
     * @param interval how long to wait before asking again
     * @return the deferral
     * @throws InvalidRequestException with {@code job.invalid_delay} for an interval that is not positive or too long
     */
    public static Deferral every(Duration interval) {
        return new Deferral(interval, null, EXPIRED);
    }

    /**
     * The same for a limited time, counted from the first attempt of the run. Then the job fails for good, with {@code
     * job.deferral_expired} unless something else is said.
     *
     * @param limit for how long to ask
     * @return a copy
     * @throws InvalidRequestException with {@code job.invalid_delay} for a limit that is not positive or too long
     */
    public Deferral within(Duration limit) {
        return new Deferral(interval, limit, failure);
    }

    /**
     * The same, failing for good with a code of your own when the limit is reached.
     *
     * @param code a stable word for the cause
     * @param message what happened, for people; null counts as none
     * @return a copy
     * @throws InvalidRequestException with {@code request.invalid} for a code that cannot be stored
     */
    public Deferral orFail(String code, @Nullable String message) {
        return new Deferral(interval, limit, JobFailure.terminal(code, message));
    }

    /**
     * The same, going on when the limit is reached.
     *
     * @return a copy
     */
    public Deferral orGoOn() {
        return new Deferral(interval, limit, null);
    }

    /**
     * What follows when the condition was asked and is not met. The last question comes when the limit is reached, not later.
     *
     * @param job who asked
     * @return the outcome to return, or null to go on
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
                    ErrorCode.INVALID_DELAY, "The " + noun + " of a deferral is zero: give a positive one.");
        }
        return Bounds.delay(time, ErrorCode.INVALID_DELAY, noun + " of a deferral");
    }
}

package io.runledger.model.run;

import io.runledger.model.error.ErrorCode;
import io.runledger.model.error.InvalidRequestException;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A handler's wish for its retry: not before this. It can only lengthen what the retry policy says. Exactly one of the two
 * parts is there; a span counts from the moment the database writes the failure.
 *
 * @param after a span, rounded up to the millisecond, or null
 * @param at an instant, rounded up to the microsecond, or null
 */
public record NotBefore(@Nullable Duration after, @Nullable Instant at) {
    /**
     * Checks and rounds.
     *
     * @param after see the record
     * @param at see the record
     * @throws InvalidRequestException with {@code job.invalid_retry_timing} when PostgreSQL could not store the time
     */
    public NotBefore {
        if ((after == null) == (at == null)) {
            throw new InvalidRequestException(
                    ErrorCode.INVALID_RETRY_TIMING,
                    "A retry waits for a span or for an instant: give exactly one of them.");
        }
        if (after != null) {
            Bounds.delay(after, ErrorCode.INVALID_RETRY_TIMING, "time until the retry");
            after = Bounds.roundUp(after, ChronoUnit.MILLIS);
        }
        if (at != null) {
            at = Bounds.instant(at, ErrorCode.INVALID_RETRY_TIMING, "instant of the retry");
        }
    }

    /**
     * Not before a span has passed.
     *
     * @param after zero or more
     * @return the bound, or null for zero, which bounds nothing
     * @throws InvalidRequestException with {@code job.invalid_retry_timing} for a span that is negative or too long
     */
    public static @Nullable NotBefore after(Duration after) {
        return after.isZero() ? null : new NotBefore(after, null);
    }

    /**
     * Not before an instant.
     *
     * @param at any instant PostgreSQL can store
     * @return the bound, or null for an instant before PostgreSQL's range, which bounds nothing
     * @throws InvalidRequestException with {@code job.invalid_retry_timing} for an instant past PostgreSQL's range
     */
    public static @Nullable NotBefore at(Instant at) {
        return at.isBefore(Bounds.EARLIEST) ? null : new NotBefore(null, at);
    }

    /**
     * When the bound falls, counted from a given moment.
     *
     * @param base the moment the failure is written, by the database's clock
     * @return the earliest time of the retry
     */
    public Instant from(Instant base) {
        return after == null ? Objects.requireNonNull(at) : base.plus(after);
    }
}

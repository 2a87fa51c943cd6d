package io.runledger.model.handler;

import io.runledger.model.error.ErrorCode;
import io.runledger.model.error.InvalidRequestException;
import io.runledger.model.value.StorableValues;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The earliest time of a retry, requested by a handler. It can only lengthen the wait of the retry policy. Exactly one
 * of the two values is set; a duration counts from the time at which the database writes the failure.
 *
 * @param after duration, rounded up to the millisecond, or null
 * @param at instant, rounded up to the microsecond, or null
 */
public record NotBefore(@Nullable Duration after, @Nullable Instant at) {
    /** @throws InvalidRequestException with {@code job.invalid_retry_timing} if PostgreSQL cannot store the time */
    public NotBefore {
        if ((after == null) == (at == null)) {
            throw new InvalidRequestException(
                    ErrorCode.INVALID_RETRY_TIMING, "A retry needs a duration or an instant: set exactly one of them.");
        }
        if (after != null) {
            StorableValues.delay(after, ErrorCode.INVALID_RETRY_TIMING, "time until the retry");
            after = StorableValues.roundUp(after, ChronoUnit.MILLIS);
        }
        if (at != null) {
            at = StorableValues.instant(at, ErrorCode.INVALID_RETRY_TIMING, "instant of the retry");
        }
    }

    /**
     * Not before a duration has elapsed.
     *
     * @return null for zero, which has no effect
     * @throws InvalidRequestException with {@code job.invalid_retry_timing} if the duration is negative or too long
     */
    public static @Nullable NotBefore after(Duration after) {
        return after.isZero() ? null : new NotBefore(after, null);
    }

    /**
     * Not before an instant.
     *
     * @return null for an instant before PostgreSQL's range, which has no effect
     * @throws InvalidRequestException with {@code job.invalid_retry_timing} if the instant is after the range of
     *     PostgreSQL
     */
    public static @Nullable NotBefore at(Instant at) {
        return at.isBefore(StorableValues.EARLIEST) ? null : new NotBefore(null, at);
    }

    /**
     * The earliest time as an instant.
     *
     * @param base time at which the failure is written, by the database's clock
     */
    public Instant from(Instant base) {
        return after == null ? Objects.requireNonNull(at) : base.plus(after);
    }
}

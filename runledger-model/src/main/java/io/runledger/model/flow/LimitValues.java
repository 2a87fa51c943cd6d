package io.runledger.model.flow;

import io.runledger.model.error.ErrorCode;
import io.runledger.model.error.InvalidRequestException;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * The values of a limit. A value that is null does not limit the jobs.
 *
 * @param permits jobs that run at once in the whole fleet, at most; 0 pauses the jobs
 * @param rate jobs that begin in a period, at most
 */
public record LimitValues(
        @Nullable Integer permits, @Nullable Rate rate) {
    /** Neither permits nor a rate. */
    public static final LimitValues NONE = new LimitValues(null, null);

    /** @throws InvalidRequestException with {@code flow.invalid_limit} if there are negative permits */
    public LimitValues {
        if (permits != null && permits < 0) {
            throw new InvalidRequestException(
                    ErrorCode.FLOW_LIMIT_INVALID,
                    "permits is " + permits + ": use 0 or more. 0 pauses the jobs of the limit.");
        }
    }

    /** Permits without a rate. */
    public static LimitValues permits(int permits) {
        return NONE.withPermits(permits);
    }

    /** A rate without permits. */
    public static LimitValues rate(Rate rate) {
        return NONE.withRate(rate);
    }

    /** A rate without permits, with a burst of a tenth of its count. */
    public static LimitValues rate(int count, Duration period) {
        return rate(Rate.of(count, period));
    }

    public LimitValues withPermits(@Nullable Integer permits) {
        return new LimitValues(permits, rate);
    }

    public LimitValues withRate(@Nullable Rate rate) {
        return new LimitValues(permits, rate);
    }

    /** Whether neither permits nor a rate is set. */
    public boolean isEmpty() {
        return permits == null && rate == null;
    }
}

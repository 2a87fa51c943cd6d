package io.runledger.model.flow;

import io.runledger.model.error.ErrorCode;
import io.runledger.model.error.InvalidRequestException;
import io.runledger.model.value.StorableValues;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.Objects;

/**
 * How many jobs may begin in a period. The jobs are spread over the period; after a time with fewer jobs, up to
 * {@code burst} of them may begin at once. In any period, at most {@code count + burst} jobs begin.
 *
 * @param count jobs in a period, 1 or more
 * @param period longer than zero, at most 366 days; rounded up to whole microseconds
 * @param burst zero or more; it must be filled again within 366 days
 */
public record Rate(int count, Duration period, int burst) {
    private static final Duration LONGEST = Duration.ofDays(366);

    /** @throws InvalidRequestException with {@code flow.invalid_limit} if a value is out of range */
    public Rate {
        Objects.requireNonNull(period, "period");
        if (count < 1) {
            throw invalid("The count of a rate is " + count + ": use 1 or more. To stop the jobs, use 0 permits.");
        }
        if (period.compareTo(Duration.ZERO) <= 0 || period.compareTo(LONGEST) > 0) {
            throw invalid("The period of a rate is " + period + ": use a period above zero and up to 366 days.");
        }
        period = StorableValues.roundUp(period, ChronoUnit.MICROS);
        if (count > micros(period)) {
            throw invalid("The rate is " + count + " in " + period + ", which is more than one in a microsecond:"
                    + " leave the rate out.");
        }
        if (burst < 0) {
            throw invalid("The burst of a rate is " + burst + ": use zero or more.");
        }
        long each = (micros(period) + count - 1) / count;
        if (burst > micros(LONGEST) / each) {
            throw invalid("The burst of a rate of " + count + " in " + period + " is " + burst
                    + ", which takes more than 366 days to fill: use at most " + micros(LONGEST) / each + ".");
        }
    }

    /** A rate with a burst of a tenth of its count, rounded up. */
    public static Rate of(int count, Duration period) {
        return new Rate(count, period, count < 1 ? 0 : (count - 1) / 10 + 1);
    }

    /** This rate with another burst; zero spreads all jobs evenly. */
    public Rate withBurst(int burst) {
        return new Rate(count, period, burst);
    }

    private static long micros(Duration duration) {
        return duration.toSeconds() * 1_000_000 + duration.toNanosPart() / 1_000;
    }

    private static InvalidRequestException invalid(String message) {
        return new InvalidRequestException(ErrorCode.FLOW_LIMIT_INVALID, message);
    }
}

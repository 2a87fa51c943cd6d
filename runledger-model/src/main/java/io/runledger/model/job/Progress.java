package io.runledger.model.job;

import io.runledger.model.error.ErrorCode;
import io.runledger.model.error.InvalidRequestException;
import java.math.BigDecimal;
import java.math.RoundingMode;
import org.jspecify.annotations.Nullable;

/**
 * The progress of a job, in units that its handler defines. Each count may be unknown.
 *
 * @param done completed units, or null if not reported
 * @param total total units, or null if not reported
 */
public record Progress(@Nullable Long done, @Nullable Long total) {
    /** Both counts are unknown. */
    public static final Progress NONE = new Progress(null, null);

    /**
     * @param done completed units, or null if not reported
     * @param total total units, or null if not reported
     * @throws InvalidRequestException with {@code job.invalid_progress} if a count is negative or {@code done} exceeds
     *     {@code total}
     */
    public Progress {
        refuseNegative("done", done);
        refuseNegative("total", total);
        if (done != null && total != null && done > total) {
            throw new InvalidRequestException(
                    ErrorCode.INVALID_PROGRESS,
                    "Progress 'done' (" + done + ") exceeds 'total' (" + total + "): increase total or decrease done.");
        }
    }

    /**
     * @throws InvalidRequestException with {@code job.invalid_progress} if a count is negative or {@code done} exceeds
     *     {@code total}
     */
    public static Progress of(long done, long total) {
        return new Progress(done, total);
    }

    /**
     * The completed share in percent, with two decimals, rounded half up; null if a count is unknown or the total is
     * zero.
     */
    public @Nullable BigDecimal percent() {
        if (done == null || total == null || total == 0) {
            return null;
        }
        return BigDecimal.valueOf(done).movePointRight(2).divide(BigDecimal.valueOf(total), 2, RoundingMode.HALF_UP);
    }

    private static void refuseNegative(String name, @Nullable Long count) {
        if (count != null && count < 0) {
            throw new InvalidRequestException(
                    ErrorCode.INVALID_PROGRESS,
                    "Progress '" + name + "' is negative (" + count + "): use zero or more.");
        }
    }
}

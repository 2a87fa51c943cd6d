package io.runledger.model.state;

import io.runledger.model.error.ErrorCode;
import io.runledger.model.error.InvalidRequestException;
import java.math.BigDecimal;
import java.math.RoundingMode;
import org.jspecify.annotations.Nullable;

/**
 * How much of a job is done, in units only its handler knows. Either count may be unknown.
 *
 * @param done units done, or null when not reported
 * @param total units in all, or null when not reported
 */
public record Progress(@Nullable Long done, @Nullable Long total) {
    /** Nothing was reported. */
    public static final Progress NONE = new Progress(null, null);

    /**
     * Checks the counts.
     *
     * @param done units done, or null when not reported
     * @param total units in all, or null when not reported
     * @throws InvalidRequestException with {@code job.invalid_progress} for a negative count, or more done than there is
     */
    public Progress {
        refuseNegative("done", done);
        refuseNegative("total", total);
        if (done != null && total != null && done > total) {
            throw new InvalidRequestException(
                    ErrorCode.INVALID_PROGRESS,
                    "More is done (" + done + ") than there is in all (" + total + "): raise total or lower done.");
        }
    }

    /**
     * Both counts.
     *
     * @param done units done
     * @param total units in all
     * @return the progress
     * @throws InvalidRequestException with {@code job.invalid_progress} for a negative count, or more done than there is
     */
    public static Progress of(long done, long total) {
        return new Progress(done, total);
    }

    /**
     * The share that is done.
     *
     * @return percent with two decimals, rounded half up; null while a count is unknown or the total is zero
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
                    "Progress '" + name + "' is negative (" + count + "): give zero or more.");
        }
    }
}

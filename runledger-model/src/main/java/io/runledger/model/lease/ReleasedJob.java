package io.runledger.model.lease;

import io.runledger.model.error.RunledgerException;
import io.runledger.model.job.Lease;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * The result of releasing a lease.
 *
 * @param nextRunAt time at which the job is due again; null if it was not released
 * @param refusal error of the database; null unless the release was rejected or failed with a transient error
 */
public record ReleasedJob(
        Lease lease,
        Result result,
        @Nullable Instant nextRunAt,
        @Nullable RunledgerException refusal) {
    public enum Result {
        /** The job is in the queue again. */
        RELEASED,
        /** Nothing was written: the job had ended, was canceled or was claimed by another worker. */
        LOST,
        /**
         * Nothing was written: another transaction locks the job, or a transient error occurred. Release the job again.
         */
        BUSY,
        /**
         * Nothing was written: the database rejected the change, for example because of a trigger that the application
         * added.
         */
        REFUSED
    }

    /**
     * A result without an error.
     *
     * @param nextRunAt time at which the job is due again; null if it was not released
     */
    public ReleasedJob(Lease lease, Result result, @Nullable Instant nextRunAt) {
        this(lease, result, nextRunAt, null);
    }

    public boolean isReleased() {
        return result == Result.RELEASED;
    }
}

package io.runledger.model.lease;

import io.runledger.model.error.RunledgerException;
import io.runledger.model.job.Lease;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * The result of settling an attempt.
 *
 * @param nextRunAt time at which the job is due again, if it is
 * @param refusal error of the database if the attempt was not settled, or the reason why the job became a dead letter
 *     instead of the requested outcome; null otherwise
 */
public record SettledJob(
        Lease lease,
        Result result,
        @Nullable Instant nextRunAt,
        @Nullable RunledgerException refusal) {
    public enum Result {
        SUCCEEDED,
        /** A retry is scheduled. */
        RETRY_SCHEDULED,
        /** The job became a dead letter. */
        DEAD_LETTERED,
        /** The job continues in its next run. */
        CONTINUED,
        /** The job waits; the attempt does not count. */
        SNOOZED,
        /** The job is in the queue again; the attempt does not count. */
        RELEASED,
        /** The handler canceled the job. */
        CANCELED,
        /** Nothing was written: the lease had expired, or another session ended, canceled or claimed the job. */
        LOST,
        /**
         * Nothing was written: another transaction locks the job or its run, or a transient error occurred. The lease
         * is still valid; settle again.
         */
        BUSY,
        /**
         * Nothing was written: the database rejected the change, for example because of a trigger or constraint that
         * the application added. The lease is still held and expires unless the attempt is ended in another way.
         */
        REFUSED
    }

    /**
     * A result without an error.
     *
     * @param nextRunAt time at which the job is due again, if it is
     */
    public SettledJob(Lease lease, Result result, @Nullable Instant nextRunAt) {
        this(lease, result, nextRunAt, null);
    }
}

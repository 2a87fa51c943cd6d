package io.runledger.model.state;

import io.runledger.model.error.RunledgerException;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * What became of an attempt that was to be ended.
 *
 * @param lease the lease it was ended under
 * @param result what was written, or why nothing was
 * @param nextRunAt when the job is due again; null when it is not
 * @param refusal what the database had against it, the fault that kept it from being written for now, or why it is a dead letter
 *     instead of what was asked for; null otherwise
 */
public record SettledJob(
        Lease lease,
        Result result,
        @Nullable Instant nextRunAt,
        @Nullable RunledgerException refusal) {
    /** What was written. */
    public enum Result {
        /** The job succeeded. */
        SUCCEEDED,
        /** It will be tried again. */
        RETRY_SCHEDULED,
        /** It gave up. */
        DEAD_LETTERED,
        /** It goes on in its next run. */
        CONTINUED,
        /** It waits; the attempt does not count. */
        SNOOZED,
        /** It was called off by its handler. */
        CANCELED,
        /** Nothing: the lease had expired, or somebody else had ended or canceled the job. */
        LOST,
        /**
         * Nothing yet: another transaction holds the job or the run it is a step of, or the database could not write just now. The
         * lease still stands; settle again.
         */
        BUSY,
        /**
         * Nothing: the database would not take this one, for example because of a trigger or a constraint of the service's own. The
         * lease is still held, and runs out unless the attempt is ended in another way.
         */
        REFUSED
    }

    /**
     * An answer that is no refusal.
     *
     * @param lease the lease it was ended under
     * @param result what was written, or why nothing was
     * @param nextRunAt when the job is due again; null when it is not
     */
    public SettledJob(Lease lease, Result result, @Nullable Instant nextRunAt) {
        this(lease, result, nextRunAt, null);
    }
}

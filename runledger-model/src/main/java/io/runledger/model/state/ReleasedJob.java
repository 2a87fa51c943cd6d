package io.runledger.model.state;

import io.runledger.model.error.RunledgerException;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * What became of a lease that was to be given back.
 *
 * @param lease the lease
 * @param result what was written, or why nothing was
 * @param nextRunAt when the job is due again; null when it was not given back
 * @param refusal what the database had against it; null unless it was refused, or a fault that passes kept it from being written
 */
public record ReleasedJob(
        Lease lease,
        Result result,
        @Nullable Instant nextRunAt,
        @Nullable RunledgerException refusal) {
    /** What was written. */
    public enum Result {
        /** The job is back in the queue. */
        RELEASED,
        /** Nothing: the job had been ended, canceled or taken over before. */
        LOST,
        /** Nothing yet: another transaction holds the job, or the database could not write just now. Give it back again. */
        BUSY,
        /** Nothing: the database would not take this one, for example because of a trigger of the service's own. */
        REFUSED
    }

    /**
     * An answer that is no refusal.
     *
     * @param lease the lease
     * @param result what was written, or why nothing was
     * @param nextRunAt when the job is due again; null when it was not given back
     */
    public ReleasedJob(Lease lease, Result result, @Nullable Instant nextRunAt) {
        this(lease, result, nextRunAt, null);
    }

    /**
     * Whether it was given back.
     *
     * @return false when nothing was written
     */
    public boolean isReleased() {
        return result == Result.RELEASED;
    }
}

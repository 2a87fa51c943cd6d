package io.runledger.model.state;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * What became of an attempt that was to be ended.
 *
 * @param lease the lease it was ended under
 * @param result what was written, or that the lease was lost and nothing was
 * @param nextRunAt when the job is due again; null when it is not
 */
public record SettledJob(
        Lease lease, Result result, @Nullable Instant nextRunAt) {
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
        LOST
    }
}

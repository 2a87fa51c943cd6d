package io.runledger.model.job;

import java.time.Instant;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * The result of a cancellation.
 *
 * @param quietAt latest time at which the running handler notices the cancellation; null if no handler was running or
 *     nothing was canceled
 */
public record CanceledJob(
        UUID jobId, Result result, @Nullable Instant quietAt) {
    public enum Result {
        /** This call canceled the job. */
        CANCELED,
        /** The job had already ended; nothing was changed. */
        ALREADY_ENDED,
        /** The job does not exist in the scope. */
        NOT_FOUND
    }
}

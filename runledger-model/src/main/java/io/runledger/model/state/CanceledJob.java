package io.runledger.model.state;

import java.time.Instant;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * What became of a job that was to be canceled.
 *
 * @param jobId the job
 * @param result whether it was canceled
 * @param quietAt by when the handler that ran it must have noticed; null when none ran or nothing was canceled
 */
public record CanceledJob(
        UUID jobId, Result result, @Nullable Instant quietAt) {
    /** Whether a job was canceled. */
    public enum Result {
        /** Canceled now. */
        CANCELED,
        /** It had ended before; nothing was changed. */
        ALREADY_ENDED,
        /** There is no such job in the scope. */
        NOT_FOUND
    }
}

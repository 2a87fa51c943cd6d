package io.runledger.model.lease;

import io.runledger.model.error.ErrorCode;
import io.runledger.model.error.InvalidRequestException;
import io.runledger.model.job.JobStage;
import io.runledger.model.job.Lease;
import io.runledger.model.job.Progress;
import io.runledger.model.json.Payload;
import org.jspecify.annotations.Nullable;

/**
 * A report of a running attempt. Values that are not set keep their stored value.
 *
 * @param progress counts; an unknown count keeps the stored one
 * @param stage null keeps the stored stage; {@code RUNNING} also marks the attempt as started
 * @param checkpoint starting point of the next attempt; null keeps the stored checkpoint, but the JSON value
 *     {@code null} is a checkpoint
 */
public record ProgressReport(
        Lease lease,
        Progress progress,
        @Nullable JobStage stage,
        @Nullable Payload checkpoint) {
    /**
     * @throws InvalidRequestException with {@code job.invalid_stage} if the stage is {@code COMPLETED}, which only a
     *     settlement writes
     */
    public ProgressReport {
        if (stage == JobStage.COMPLETED) {
            throw new InvalidRequestException(
                    ErrorCode.INVALID_STAGE,
                    "A progress report cannot set the stage COMPLETED: settle the attempt as succeeded instead.");
        }
    }

    /** Reports that the handler has started. */
    public static ProgressReport running(Lease lease) {
        return new ProgressReport(lease, Progress.NONE, JobStage.RUNNING, null);
    }

    public static ProgressReport of(Lease lease, Progress progress) {
        return new ProgressReport(lease, progress, null, null);
    }

    /**
     * @param checkpoint {@code Json}, or an object that the codec encodes; null is stored as the JSON value
     *     {@code null}
     */
    public static ProgressReport checkpoint(Lease lease, @Nullable Object checkpoint) {
        return new ProgressReport(lease, Progress.NONE, null, Payload.of(checkpoint));
    }
}

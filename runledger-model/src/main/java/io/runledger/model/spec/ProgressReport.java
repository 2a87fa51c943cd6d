package io.runledger.model.spec;

import io.runledger.model.error.ErrorCode;
import io.runledger.model.error.InvalidRequestException;
import io.runledger.model.json.Payload;
import io.runledger.model.state.JobStage;
import io.runledger.model.state.Lease;
import io.runledger.model.state.Progress;
import org.jspecify.annotations.Nullable;

/**
 * What a running attempt tells about itself. What is not given keeps what was told before.
 *
 * @param lease what proves that it is the caller's to tell
 * @param progress counts; an unknown one keeps the stored one
 * @param stage how far it is, or null to keep it; {@code RUNNING} also marks the attempt as started
 * @param checkpoint where the next attempt should go on, or null to keep the stored one; the JSON value {@code null} is a checkpoint
 */
public record ProgressReport(
        Lease lease,
        Progress progress,
        @Nullable JobStage stage,
        @Nullable Payload checkpoint) {
    /**
     * Checks the stage.
     *
     * @param lease see the record
     * @param progress see the record
     * @param stage see the record
     * @param checkpoint see the record
     * @throws InvalidRequestException with {@code job.invalid_stage} for {@code COMPLETED}, which only a settlement writes
     */
    public ProgressReport {
        if (stage == JobStage.COMPLETED) {
            throw new InvalidRequestException(
                    ErrorCode.INVALID_STAGE, "A running attempt is not completed: settle it as succeeded instead.");
        }
    }

    /**
     * Says that the handler has started.
     *
     * @param lease what proves that it is the caller's to tell
     * @return the report
     */
    public static ProgressReport running(Lease lease) {
        return new ProgressReport(lease, Progress.NONE, JobStage.RUNNING, null);
    }

    /**
     * Tells counts.
     *
     * @param lease what proves that it is the caller's to tell
     * @param progress the counts
     * @return the report
     */
    public static ProgressReport of(Lease lease, Progress progress) {
        return new ProgressReport(lease, progress, null, null);
    }

    /**
     * Saves a checkpoint.
     *
     * @param lease what proves that it is the caller's to tell
     * @param checkpoint what the codec can encode, or {@code Json}; null is saved as the JSON value {@code null}
     * @return the report
     */
    public static ProgressReport checkpoint(Lease lease, @Nullable Object checkpoint) {
        return new ProgressReport(lease, Progress.NONE, null, Payload.of(checkpoint));
    }
}

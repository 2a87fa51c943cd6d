package io.runledger.model.job;

import io.runledger.model.error.ErrorCode;
import io.runledger.model.error.InvalidRequestException;
import java.util.Objects;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A request for another run of a job. The job is requeued only if its status and run are the expected ones, so two
 * concurrent requests cause one run.
 *
 * @param expectedStatus status read by the caller: {@code CANCELED} or {@code DEAD_LETTERED}
 * @param expectedRun run read by the caller
 * @param reason null for {@code REQUEUED}
 */
public record RequeueRequest(
        UUID jobId,
        JobStatus expectedStatus,
        int expectedRun,
        KeptState keep,
        @Nullable String reason) {
    /**
     * @throws InvalidRequestException with {@code request.invalid} if the status cannot be requeued or the run is below
     *     1
     */
    public RequeueRequest {
        Objects.requireNonNull(jobId, "job id");
        Objects.requireNonNull(keep, "keep");
        if (expectedStatus != JobStatus.CANCELED && expectedStatus != JobStatus.DEAD_LETTERED) {
            throw new InvalidRequestException(
                    ErrorCode.INVALID_ARGUMENT,
                    "A job with status " + expectedStatus
                            + " cannot be requeued: only CANCELED and DEAD_LETTERED jobs can."
                            + " A succeeded job can be replayed.");
        }
        if (expectedRun < 1) {
            throw new InvalidRequestException(
                    ErrorCode.INVALID_ARGUMENT, "expectedRun is " + expectedRun + ": runs count from 1.");
        }
    }

    /**
     * Expects the status and the run of a job that was read.
     *
     * @throws InvalidRequestException with {@code request.invalid} if the job is neither canceled nor a dead letter
     */
    public static RequeueRequest of(Job seen, KeptState keep, @Nullable String reason) {
        return new RequeueRequest(seen.id(), seen.status(), seen.runNumber(), keep, reason);
    }
}

package io.runledger.model.spec;

import io.runledger.model.error.ErrorCode;
import io.runledger.model.error.InvalidRequestException;
import io.runledger.model.state.Job;
import io.runledger.model.state.JobStatus;
import io.runledger.model.state.Scope;
import java.util.Objects;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Asks for another run of a job, provided that it still stands where the caller saw it. Two operators who press the button at once
 * cause one run.
 *
 * @param scope whose jobs may be touched
 * @param jobId the job
 * @param expectedStatus where the caller saw it: {@code CANCELED} or {@code DEAD_LETTERED}
 * @param expectedRun the run the caller saw
 * @param keep what the next run keeps
 * @param reason why, or null for {@code REQUEUED}
 */
public record RequeueRequest(
        Scope scope,
        UUID jobId,
        JobStatus expectedStatus,
        int expectedRun,
        KeptState keep,
        @Nullable String reason) {
    /**
     * Checks the expectation.
     *
     * @param scope see the record
     * @param jobId see the record
     * @param expectedStatus see the record
     * @param expectedRun see the record
     * @param keep see the record
     * @param reason see the record
     * @throws InvalidRequestException with {@code request.invalid} for a status that cannot be requeued, or a run below 1
     */
    public RequeueRequest {
        Objects.requireNonNull(scope, "scope");
        Objects.requireNonNull(jobId, "job id");
        Objects.requireNonNull(keep, "keep");
        if (expectedStatus != JobStatus.CANCELED && expectedStatus != JobStatus.DEAD_LETTERED) {
            throw new InvalidRequestException(
                    ErrorCode.INVALID_ARGUMENT,
                    "A job that is " + expectedStatus + " cannot be requeued: only CANCELED and DEAD_LETTERED jobs can."
                            + " A succeeded job can be replayed.");
        }
        if (expectedRun < 1) {
            throw new InvalidRequestException(
                    ErrorCode.INVALID_ARGUMENT, "expectedRun is " + expectedRun + ": runs count from 1.");
        }
    }

    /**
     * Expects the job as it was read.
     *
     * @param scope whose jobs may be touched
     * @param seen the job as it was read
     * @param keep what the next run keeps
     * @param reason why, or null
     * @return the request
     * @throws InvalidRequestException with {@code request.invalid} when it is neither canceled nor a dead letter
     */
    public static RequeueRequest of(Scope scope, Job seen, KeptState keep, @Nullable String reason) {
        return new RequeueRequest(scope, seen.id(), seen.status(), seen.runNumber(), keep, reason);
    }
}

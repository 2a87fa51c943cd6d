package io.runledger.model.lease;

import io.runledger.model.error.ErrorCode;
import io.runledger.model.error.InvalidRequestException;
import io.runledger.model.handler.LogLevel;
import io.runledger.model.job.Lease;
import io.runledger.model.json.Json;
import io.runledger.model.text.Text;
import io.runledger.model.value.StorableValues;
import java.util.Objects;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A line for a job's log. Characters that PostgreSQL cannot store are replaced. A message above 8 KiB is truncated and
 * marked with an ellipsis.
 *
 * @param runNumber run of the job, 1 or more; null for the run that is current when the line is written
 * @param attempt null for a line that belongs to no attempt
 * @param payload structured data of the line
 */
public record LogRequest(
        UUID jobId,
        @Nullable Integer runNumber,
        @Nullable Integer attempt,
        LogLevel level,
        String message,
        Json payload) {
    /**
     * @throws InvalidRequestException with {@code request.invalid} if the run is below 1 or the attempt is below 0, and
     *     with {@code json.invalid} if the payload is nested deeper than {@link Json#MAX_DEPTH} levels
     */
    public LogRequest {
        Objects.requireNonNull(jobId, "jobId");
        Objects.requireNonNull(level, "level");
        Objects.requireNonNull(payload, "payload");
        if (runNumber != null && runNumber < 1) {
            throw new InvalidRequestException(
                    ErrorCode.INVALID_ARGUMENT, "runNumber is " + runNumber + ": runs start at 1.");
        }
        if (attempt != null && attempt < 0) {
            throw new InvalidRequestException(
                    ErrorCode.INVALID_ARGUMENT, "attempt is " + attempt + ": it must not be negative.");
        }
        message = StorableValues.message(message);
        payload.requireStorable();
    }

    /**
     * A line of the attempt that holds or held the lease.
     *
     * @param lease may have expired
     */
    public static LogRequest of(Lease lease, LogLevel level, String message) {
        return new LogRequest(lease.jobId(), lease.runNumber(), lease.attempt(), level, message, Json.EMPTY_OBJECT);
    }

    /** A line that belongs to no attempt. */
    public static LogRequest of(UUID jobId, LogLevel level, String message) {
        return new LogRequest(jobId, null, null, level, message, Json.EMPTY_OBJECT);
    }

    /**
     * Returns a copy with structured data.
     *
     * @param payload any JSON, usually an object
     */
    public LogRequest with(Json payload) {
        return new LogRequest(jobId, runNumber, attempt, level, message, payload);
    }

    /** Whether the message has no visible character. Such lines are not written. */
    public boolean isBlank() {
        return Text.isBlank(message);
    }
}

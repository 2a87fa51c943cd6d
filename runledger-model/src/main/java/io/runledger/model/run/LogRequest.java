package io.runledger.model.run;

import io.runledger.model.error.ErrorCode;
import io.runledger.model.error.InvalidRequestException;
import io.runledger.model.id.Text;
import io.runledger.model.json.Json;
import io.runledger.model.state.Lease;
import java.util.Objects;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A line for a job's log. Whatever the message holds, the line can be written: what PostgreSQL cannot store is replaced, and what
 * exceeds 8 KiB is cut, visibly.
 *
 * @param jobId the job
 * @param runNumber the job's run, 1 or more, or null for the run it is in when the line is written
 * @param attempt the attempt, or null for a line that belongs to none
 * @param level how much it matters
 * @param message the line, as it will be stored
 * @param payload structured facts beside the line
 */
public record LogRequest(
        UUID jobId,
        @Nullable Integer runNumber,
        @Nullable Integer attempt,
        LogLevel level,
        String message,
        Json payload) {
    /**
     * Makes the message storable and checks the rest.
     *
     * @param jobId see the record
     * @param runNumber see the record
     * @param attempt see the record
     * @param level see the record
     * @param message any text
     * @param payload see the record
     * @throws InvalidRequestException with {@code request.invalid} for a run below 1 or an attempt below 0
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
        message = Bounds.message(message);
    }

    /**
     * A line of the attempt that holds, or held, a lease.
     *
     * @param lease the attempt's lease; it need not be valid any more
     * @param level how much it matters
     * @param message the line
     * @return the request
     */
    public static LogRequest of(Lease lease, LogLevel level, String message) {
        return new LogRequest(lease.jobId(), lease.runNumber(), lease.attempt(), level, message, Json.EMPTY_OBJECT);
    }

    /**
     * A line about a job from outside any attempt.
     *
     * @param jobId the job
     * @param level how much it matters
     * @param message the line
     * @return the request
     */
    public static LogRequest of(UUID jobId, LogLevel level, String message) {
        return new LogRequest(jobId, null, null, level, message, Json.EMPTY_OBJECT);
    }

    /**
     * Adds structured facts.
     *
     * @param payload any JSON, usually an object
     * @return a copy with those facts
     */
    public LogRequest with(Json payload) {
        return new LogRequest(jobId, runNumber, attempt, level, message, payload);
    }

    /**
     * Whether there is nothing to write.
     *
     * @return true when no visible character is in the message; such lines are dropped
     */
    public boolean isBlank() {
        return Text.isBlank(message);
    }
}

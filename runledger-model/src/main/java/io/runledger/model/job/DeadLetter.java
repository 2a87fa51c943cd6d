package io.runledger.model.job;

import io.runledger.model.failure.AttemptOutcome;
import io.runledger.model.json.Json;
import java.time.Instant;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * The state of a job when it became a dead letter. A requeued job that becomes a dead letter again has a second record.
 *
 * @param attempt number of the last failed attempt
 * @param organizationId organization of the job, or null for a global job
 * @param payload payload at that time
 * @param checkpoint checkpoint at that time
 * @param headers headers of the job
 */
public record DeadLetter(
        UUID jobId,
        int runNumber,
        int attempt,
        String jobType,
        @Nullable UUID organizationId,
        AttemptOutcome kind,
        DeadLetterReason reason,
        @Nullable String errorCode,
        @Nullable String errorMessage,
        Json payload,
        @Nullable Json checkpoint,
        Map<String, String> headers,
        Instant failedAt,
        Instant createdAt) {
    /** Identifies the job and the reason; omits payload, headers and the failure message, which must not be logged. */
    @Override
    public String toString() {
        return "dead letter of " + jobType + " job " + jobId + " (run " + runNumber + ", attempt " + attempt + ", "
                + reason + (errorCode == null ? ")" : ", " + errorCode + ")");
    }
}

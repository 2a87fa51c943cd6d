package io.runledger.model.state;

import io.runledger.model.json.Json;
import java.time.Instant;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A job that gave up, as it was at that moment. A requeued job that gives up again gets a second one.
 *
 * @param jobId the job
 * @param runNumber the run that gave up
 * @param attempt the attempt that failed last
 * @param jobType the job's type
 * @param organizationId the job's organization, or null for a global job
 * @param kind how that attempt failed
 * @param reason why there was no further attempt
 * @param errorCode failure code
 * @param errorMessage failure message
 * @param payload the payload as it was
 * @param checkpoint the checkpoint as it was
 * @param failedAt when it gave up
 * @param createdAt when the row was written
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
        Instant failedAt,
        Instant createdAt) {
    /** Names the job and why it gave up: payloads and the failure's own words are not for logs. */
    @Override
    public String toString() {
        return "dead letter of " + jobType + " job " + jobId + " (run " + runNumber + ", attempt " + attempt + ", "
                + reason + (errorCode == null ? ")" : ", " + errorCode + ")");
    }
}

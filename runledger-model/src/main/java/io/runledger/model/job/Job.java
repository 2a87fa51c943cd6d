package io.runledger.model.job;

import io.runledger.model.flow.StoredFlow;
import io.runledger.model.json.Json;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * The current state of a job, live or ended.
 *
 * @param id time-ordered; descending ids list the newest first
 * @param organizationId organization of the job, or null for a global job
 * @param statusReason reason for the status
 * @param initialStage stage at the enqueue
 * @param priority a larger number is claimed earlier
 * @param runNumber number of the run, from 1; a requeue or a continuation starts the next run
 * @param attempt number of claims in the current run; the number of the open attempt while the job is leased
 * @param interruptions number of attempts of this run that were released and do not count
 * @param maxAttempts number of failed attempts after which the job becomes a dead letter
 * @param timeout maximum duration of an attempt
 * @param retryPolicy null for the retry policy of the job type
 * @param checkpoint last checkpoint that the handler saved
 * @param output output of the successful handler, or null if there is none
 * @param progress progress reported by the handler
 * @param idempotencyKey unique per job type and organization, permanently
 * @param enqueueRequest request of a job with an idempotency key, compared when the key is used again
 * @param headers carried beside the payload
 * @param flow queue, limits, order and share
 * @param openAttempt running attempt; null unless the job is leased
 * @param quietAt for a job that was canceled while its handler ran, latest time at which the handler notices the
 *     cancellation; null otherwise
 * @param nextRunAt earliest time of the next claim
 * @param startedAt time of the first claim of the current run
 * @param finishedAt time at which it ended; null unless it has ended
 */
public record Job(
        UUID id,
        String jobType,
        @Nullable UUID organizationId,
        JobStatus status,
        @Nullable String statusReason,
        JobStage stage,
        JobStage initialStage,
        int priority,
        int runNumber,
        int attempt,
        int interruptions,
        int maxAttempts,
        Duration timeout,
        @Nullable Json retryPolicy,
        Json payload,
        @Nullable Json checkpoint,
        @Nullable Json output,
        Progress progress,
        @Nullable String idempotencyKey,
        @Nullable Json enqueueRequest,
        Map<String, String> headers,
        StoredFlow flow,
        @Nullable OpenAttempt openAttempt,
        @Nullable Instant quietAt,
        @Nullable String lastErrorCode,
        @Nullable String lastErrorMessage,
        Instant nextRunAt,
        Instant createdAt,
        Instant updatedAt,
        @Nullable Instant startedAt,
        @Nullable Instant finishedAt) {
    public boolean isTerminal() {
        return status.isTerminal();
    }

    /** Identifies the job and its status; omits payload, headers, keys and errors, which must not be logged. */
    @Override
    public String toString() {
        return jobType + " job " + id + " (run " + runNumber + ", attempt " + attempt + ", " + status + ")";
    }
}

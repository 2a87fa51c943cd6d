package io.runledger.model.state;

import io.runledger.model.json.Json;
import java.time.Duration;
import java.time.Instant;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A job as it stands: one row of the queue, live or finished.
 *
 * @param id time-ordered; newest first is descending id
 * @param jobType which handler runs it
 * @param organizationId tenant it belongs to, or null for a global job
 * @param status where it stands
 * @param statusReason why it is where it is
 * @param stage how far it is
 * @param initialStage stage it was enqueued with
 * @param priority larger is claimed earlier
 * @param runNumber from 1; a requeue or a continuation begins the next run
 * @param attempt claims in this run so far; the open attempt's number while leased
 * @param interruptions attempts of this run that were given back and do not count against the maximum
 * @param maxAttempts attempts that may fail before it becomes a dead letter
 * @param timeout how long one attempt may run
 * @param retryPolicy its own retry policy, or null for that of its type
 * @param payload what the handler gets
 * @param checkpoint what the handler saved to resume from
 * @param output what a successful handler returned, or null when it returned nothing
 * @param progress how much is done, by the handler's count
 * @param idempotencyKey unique per job type and organization, for ever
 * @param enqueueRequest what a keyed job was asked with, compared when the key is used again
 * @param openAttempt who is at it; present exactly while leased
 * @param quietAt on a job canceled under its handler: by when that handler must have noticed; null otherwise
 * @param lastErrorCode code of the last failure
 * @param lastErrorMessage message of the last failure
 * @param nextRunAt not claimed before this instant
 * @param createdAt when it was enqueued
 * @param updatedAt when the row last changed
 * @param startedAt first claim of the current run
 * @param finishedAt when it ended; present exactly in the end states
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
        @Nullable OpenAttempt openAttempt,
        @Nullable Instant quietAt,
        @Nullable String lastErrorCode,
        @Nullable String lastErrorMessage,
        Instant nextRunAt,
        Instant createdAt,
        Instant updatedAt,
        @Nullable Instant startedAt,
        @Nullable Instant finishedAt) {
    /**
     * Whether nothing follows by itself.
     *
     * @return true in the end states
     */
    public boolean isTerminal() {
        return status.isTerminal();
    }

    /** Names the job and where it stands: payloads, keys and errors are not for logs. */
    @Override
    public String toString() {
        return jobType + " job " + id + " (run " + runNumber + ", attempt " + attempt + ", " + status + ")";
    }
}

package io.runledger.model.job;

import io.runledger.model.flow.StoredFlow;
import java.time.Instant;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A job in a list, without JSON and error messages. {@link Job} has all values.
 *
 * @param id time-ordered; descending ids list the newest first
 * @param organizationId organization of the job, or null for a global job
 * @param priority a larger number is claimed earlier
 * @param runNumber number of the run, from 1; a requeue or a continuation starts the next run
 * @param attempt number of claims in the current run
 * @param maxAttempts number of failed attempts after which the job becomes a dead letter
 * @param progress progress reported by the handler
 * @param idempotencyKey unique per job type and organization, permanently
 * @param flow queue, limits, order and share
 * @param lastErrorCode code of the last failure; null if the job has not failed, or succeeded since
 * @param nextRunAt earliest time of the next claim
 * @param startedAt time of the first claim of the current run
 * @param finishedAt time at which it ended; null unless it has ended
 */
public record JobSummary(
        UUID id,
        String jobType,
        @Nullable UUID organizationId,
        JobStatus status,
        JobStage stage,
        int priority,
        int runNumber,
        int attempt,
        int maxAttempts,
        Progress progress,
        @Nullable String idempotencyKey,
        StoredFlow flow,
        @Nullable String lastErrorCode,
        Instant nextRunAt,
        Instant createdAt,
        Instant updatedAt,
        @Nullable Instant startedAt,
        @Nullable Instant finishedAt) {
    public boolean isTerminal() {
        return status.isTerminal();
    }
}

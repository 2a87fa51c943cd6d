package io.runledger.model.state;

import java.time.Instant;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A job for lists: no JSON, no error text, small however large the job is. {@link Job} has the rest.
 *
 * @param id time-ordered; newest first is descending id
 * @param jobType which handler runs it
 * @param organizationId tenant it belongs to, or null for a global job
 * @param status where it stands
 * @param stage how far it is
 * @param priority larger is claimed earlier
 * @param runNumber from 1; a requeue or a continuation begins the next run
 * @param attempt claims in this run so far
 * @param maxAttempts attempts that may fail before it becomes a dead letter
 * @param progress how much is done, by the handler's count
 * @param idempotencyKey unique per job type and organization, for ever
 * @param nextRunAt not claimed before this instant
 * @param createdAt when it was enqueued
 * @param updatedAt when the row last changed
 * @param startedAt first claim of the current run
 * @param finishedAt when it ended; present exactly in the end states
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
}

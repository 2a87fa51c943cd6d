package io.runledger.model.run;

import io.runledger.model.workflow.WorkflowRun;
import io.runledger.model.workflow.WorkflowRunStatus;
import java.time.Instant;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A run in a list, without JSON. {@link WorkflowRun} has all values.
 *
 * @param id time-ordered; descending ids list the newest first
 * @param organizationId organization of the run, or null for a global run
 * @param statusReason reason for the cancellation
 * @param pausedAt time of the pause; null unless the run is paused
 * @param pauseReason reason given for the pause, if any
 * @param openSteps number of steps that have not ended
 * @param activeSteps number of steps whose job is queued or running
 * @param waitingSteps number of open gates
 * @param errorSteps number of steps that failed or were canceled, except steps whose dependencies could not be
 *     satisfied
 * @param idempotencyKey unique per workflow type and organization, permanently
 * @param startedAt time at which it was enqueued
 * @param finishedAt time at which it ended; null unless it has ended
 */
public record WorkflowSummary(
        UUID id,
        String workflowType,
        @Nullable UUID organizationId,
        WorkflowRunStatus status,
        @Nullable String statusReason,
        @Nullable Instant pausedAt,
        @Nullable String pauseReason,
        int openSteps,
        int activeSteps,
        int waitingSteps,
        int errorSteps,
        @Nullable String idempotencyKey,
        Instant startedAt,
        @Nullable Instant finishedAt,
        Instant createdAt,
        Instant updatedAt) {
    public boolean isTerminal() {
        return status.isTerminal();
    }

    /** While a run is paused, none of its steps starts. */
    public boolean isPaused() {
        return pausedAt != null;
    }
}

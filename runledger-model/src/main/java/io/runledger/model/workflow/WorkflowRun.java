package io.runledger.model.workflow;

import io.runledger.model.json.Json;
import java.time.Instant;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * The current state of a workflow run.
 *
 * @param id time-ordered; descending ids list the newest first
 * @param organizationId organization of the run, or null for a global run
 * @param statusReason reason for the cancellation
 * @param pausedAt time of the pause; null unless the run is paused. An ended run is never paused
 * @param pauseReason reason given for the pause, if any
 * @param openSteps number of steps that have not ended
 * @param activeSteps number of steps whose job is queued or running
 * @param waitingSteps number of open gates
 * @param errorSteps number of steps that failed or were canceled, except steps whose dependencies could not be
 *     satisfied
 * @param idempotencyKey unique per workflow type and organization, permanently
 * @param metadata metadata of the request
 * @param headers carried beside the payloads of all steps
 * @param context current context: set at the start, extended by steps that succeed
 * @param contextMerge rule for a contribution under a name that the context already has
 * @param enqueueRequest request, compared when the idempotency key is used again, and repeated by a recovery
 * @param resultStepKey key of the step whose output is the result
 * @param result output of the result step, if the run succeeded
 * @param startedAt time at which it was enqueued
 * @param finishedAt time at which it ended; null unless it has ended
 */
public record WorkflowRun(
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
        Json metadata,
        Map<String, String> headers,
        Json context,
        ContextMerge contextMerge,
        @Nullable Json enqueueRequest,
        @Nullable String resultStepKey,
        @Nullable Json result,
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

package io.runledger.model.state;

import io.runledger.model.json.Json;
import java.time.Instant;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A workflow run as it stands.
 *
 * @param id time-ordered; newest first is descending id
 * @param workflowType name of the workflow
 * @param organizationId tenant it belongs to, or null for a global run
 * @param status where it stands
 * @param statusReason why it was canceled
 * @param pausedAt since when none of its steps starts; null unless it is paused, which an ended run never is
 * @param pauseReason why it is paused; null when nobody said
 * @param openSteps steps that have not ended
 * @param activeSteps steps whose job is queued or running
 * @param waitingSteps open gates
 * @param errorSteps steps that failed or were canceled, except those whose dependencies could not be satisfied
 * @param idempotencyKey unique per workflow type and organization, for ever
 * @param metadata what the caller wanted kept with the run
 * @param context what its steps share, as it stands: given at the start, added to by steps that succeed
 * @param contextMerge what a step's contribution does to a name that is there already
 * @param enqueueRequest what was asked for, compared when the key is used again and repeated by a recovery
 * @param resultStepKey the step whose output becomes the result
 * @param result output of the result step of a run that succeeded
 * @param startedAt when it was enqueued
 * @param finishedAt when it ended; present exactly in the end states
 * @param createdAt when the row was made
 * @param updatedAt when the row last changed
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
        Json context,
        ContextMerge contextMerge,
        @Nullable Json enqueueRequest,
        @Nullable String resultStepKey,
        @Nullable Json result,
        Instant startedAt,
        @Nullable Instant finishedAt,
        Instant createdAt,
        Instant updatedAt) {
    /**
     * Whether nothing follows by itself.
     *
     * @return true in the end states
     */
    public boolean isTerminal() {
        return status.isTerminal();
    }

    /**
     * Whether none of its steps starts until it is resumed.
     *
     * @return true while it is paused
     */
    public boolean isPaused() {
        return pausedAt != null;
    }
}

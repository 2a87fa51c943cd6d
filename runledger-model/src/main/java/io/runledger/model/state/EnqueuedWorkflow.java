package io.runledger.model.state;

import java.util.UUID;

/**
 * What starting a workflow answers.
 *
 * @param runId the run
 * @param disposition whether it was started now, found under its idempotency key, or holds the active key that was asked for
 * @param status where it stands; an existing run may have ended long ago
 */
public record EnqueuedWorkflow(UUID runId, Disposition disposition, WorkflowRunStatus status) {
    /**
     * Whether this call started the run.
     *
     * @return false when it was there already
     */
    public boolean isNew() {
        return disposition == Disposition.INSERTED;
    }
}

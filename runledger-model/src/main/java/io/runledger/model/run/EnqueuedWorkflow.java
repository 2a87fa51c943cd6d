package io.runledger.model.run;

import io.runledger.model.ledger.Disposition;
import io.runledger.model.workflow.WorkflowRunStatus;
import java.util.UUID;

/**
 * The result of starting a workflow.
 *
 * @param disposition whether this call started the run, found it under its idempotency key, or found it as the holder
 *     of the active key
 * @param status current status; an existing run may have ended
 */
public record EnqueuedWorkflow(UUID runId, Disposition disposition, WorkflowRunStatus status) {
    /** Whether this call started the run. */
    public boolean isNew() {
        return disposition == Disposition.INSERTED;
    }
}

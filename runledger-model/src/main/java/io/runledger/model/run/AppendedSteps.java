package io.runledger.model.run;

import io.runledger.model.ledger.Disposition;
import io.runledger.model.workflow.WorkflowRunStatus;
import java.util.List;
import java.util.UUID;

/**
 * The result of an append.
 *
 * @param runStatus current status of the run
 * @param disposition whether this call or an earlier identical request added the steps
 * @param steps current state of the steps, in the order of the request
 */
public record AppendedSteps(
        UUID runId, WorkflowRunStatus runStatus, Disposition disposition, List<WorkflowStep> steps) {
    public AppendedSteps {
        steps = List.copyOf(steps);
    }

    /** Whether this call added the steps. */
    public boolean isNew() {
        return disposition == Disposition.INSERTED;
    }
}

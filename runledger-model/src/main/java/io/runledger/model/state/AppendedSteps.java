package io.runledger.model.state;

import java.util.List;
import java.util.UUID;

/**
 * What an append answers.
 *
 * @param runId the run
 * @param runStatus where the run stands now
 * @param disposition whether the steps were added now or by the same request earlier
 * @param steps the steps as they stand now, in the order they were given
 */
public record AppendedSteps(
        UUID runId, WorkflowRunStatus runStatus, Disposition disposition, List<WorkflowStep> steps) {
    /**
     * Copies the steps.
     *
     * @param runId see the record
     * @param runStatus see the record
     * @param disposition see the record
     * @param steps see the record
     */
    public AppendedSteps {
        steps = List.copyOf(steps);
    }

    /**
     * Whether this call added the steps.
     *
     * @return false when the same request did so before
     */
    public boolean isNew() {
        return disposition == Disposition.INSERTED;
    }
}

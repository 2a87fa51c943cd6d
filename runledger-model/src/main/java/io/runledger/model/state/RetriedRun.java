package io.runledger.model.state;

import java.util.List;

/**
 * What retrying the failed steps of a run answers.
 *
 * @param run the run as it stands now
 * @param disposition whether the steps were set back now or by the same request earlier
 * @param stepKeys the steps that were set back, in the order they were declared
 */
public record RetriedRun(WorkflowRun run, Disposition disposition, List<String> stepKeys) {
    /**
     * Copies the keys.
     *
     * @param run see the record
     * @param disposition see the record
     * @param stepKeys see the record
     */
    public RetriedRun {
        stepKeys = List.copyOf(stepKeys);
    }
}

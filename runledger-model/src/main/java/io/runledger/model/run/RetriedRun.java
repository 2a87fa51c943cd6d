package io.runledger.model.run;

import io.runledger.model.ledger.Disposition;
import io.runledger.model.workflow.WorkflowRun;
import java.util.List;

/**
 * The result of retrying the failed steps of a run.
 *
 * @param run the current state of the run
 * @param disposition whether this call or an earlier identical request reset the steps
 * @param stepKeys keys of the reset steps, in the order of declaration
 */
public record RetriedRun(WorkflowRun run, Disposition disposition, List<String> stepKeys) {
    public RetriedRun {
        stepKeys = List.copyOf(stepKeys);
    }
}

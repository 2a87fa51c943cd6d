package io.runledger.model.run;

import io.runledger.model.workflow.WorkflowRun;

/**
 * The result of a resumption.
 *
 * @param run the current state of the run
 */
public record ResumedRun(WorkflowRun run, Result result) {
    public enum Result {
        /** This call resumed the run. */
        RESUMED,
        /** The run was not paused; nothing was changed. */
        NOT_PAUSED,
        /** The run had already ended; nothing was changed. */
        ALREADY_ENDED
    }
}

package io.runledger.model.run;

import io.runledger.model.workflow.WorkflowRun;

/**
 * The result of a pause.
 *
 * @param run the current state of the run
 */
public record PausedRun(WorkflowRun run, Result result) {
    public enum Result {
        /** This call paused the run. */
        PAUSED,
        /** The run was already paused; the time and the reason of the pause were not changed. */
        ALREADY_PAUSED,
        /** The run had already ended; nothing was changed. */
        ALREADY_ENDED
    }
}

package io.runledger.model.state;

/**
 * What became of a run that was to be resumed.
 *
 * @param run the run as it stands now
 * @param result whether it was resumed
 */
public record ResumedRun(WorkflowRun run, Result result) {
    /** Whether a run was resumed. */
    public enum Result {
        /** Resumed now. */
        RESUMED,
        /** It was not paused; nothing was changed. */
        NOT_PAUSED,
        /** It had ended before; nothing was changed. */
        ALREADY_ENDED
    }
}

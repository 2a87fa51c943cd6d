package io.runledger.model.state;

/**
 * What became of a run that was to be paused.
 *
 * @param run the run as it stands now
 * @param result whether it was paused
 */
public record PausedRun(WorkflowRun run, Result result) {
    /** Whether a run was paused. */
    public enum Result {
        /** Paused now. */
        PAUSED,
        /** It was paused before; since when and why it is stays. */
        ALREADY_PAUSED,
        /** It had ended before; nothing was changed. */
        ALREADY_ENDED
    }
}

package io.runledger.model.state;

/** Where a run stands. */
public enum WorkflowRunStatus implements WireText {
    /** Steps are queued or running. */
    RUNNING,
    /** Nothing runs and at least one gate is open. */
    WAITING_FOR_EXTERNAL,
    /** Every step succeeded. */
    SUCCEEDED,
    /** Ended, and at least one step failed or was canceled. */
    COMPLETED_WITH_ERRORS,
    /** Called off. */
    CANCELED;

    /**
     * Whether nothing follows.
     *
     * @return true for the end states
     */
    public boolean isTerminal() {
        return this != RUNNING && this != WAITING_FOR_EXTERNAL;
    }
}

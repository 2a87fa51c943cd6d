package io.runledger.model.state;

/** Where a step stands. */
public enum WorkflowStepStatus implements WireText {
    /** Waits for other steps. */
    BLOCKED,
    /** An open gate. */
    WAITING_FOR_EXTERNAL,
    /** Its job is in the queue. */
    ENQUEUED,
    /** Its job was claimed. */
    RUNNING,
    /** Done. */
    SUCCEEDED,
    /** Failed for good. */
    FAILED,
    /** Called off, or a prerequisite made it impossible. */
    CANCELED,
    /** Not run: its condition was false, or a step that it needed was skipped. */
    SKIPPED;

    /**
     * Whether nothing follows.
     *
     * @return true for the end states
     */
    public boolean isTerminal() {
        return this == SUCCEEDED || this == FAILED || this == CANCELED || this == SKIPPED;
    }
}

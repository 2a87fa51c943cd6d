package io.runledger.model.state;

/** Where a job stands. */
public enum JobStatus implements WireText {
    /** Waits for its time and for a worker. */
    PENDING,
    /** A worker runs it. */
    LEASED,
    /** Done. */
    SUCCEEDED,
    /** Gave up; waits for an operator. */
    DEAD_LETTERED,
    /** Called off. */
    CANCELED;

    /**
     * Whether nothing follows.
     *
     * @return true for the end states
     */
    public boolean isTerminal() {
        return this == SUCCEEDED || this == DEAD_LETTERED || this == CANCELED;
    }
}

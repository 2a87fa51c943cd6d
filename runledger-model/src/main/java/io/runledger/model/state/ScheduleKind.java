package io.runledger.model.state;

/** What a schedule does at its instants. */
public enum ScheduleKind implements WireText {
    /** Makes a job. */
    JOB,
    /** Starts a workflow run. */
    WORKFLOW,
    /** Calls a function of a worker, which decides. */
    POLL;
}

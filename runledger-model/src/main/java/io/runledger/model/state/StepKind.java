package io.runledger.model.state;

/** What a step is. */
public enum StepKind implements WireText {
    /** A job that a worker runs. */
    JOB,
    /** A gate that somebody completes. */
    EXTERNAL;
}

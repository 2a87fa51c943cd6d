package io.runledger.model.condition;

/** The end of a step, as used in conditions. */
public enum StepEnding {
    /** The step succeeded. */
    SUCCEEDED,
    /** The step failed or was canceled. */
    FAILED,
    /** The condition of the step was false, or a required prerequisite was skipped. */
    SKIPPED
}

package io.runledger.model.condition;

/** How a step can have ended, as conditions see it. */
public enum StepEnding {
    /** It succeeded. */
    SUCCEEDED,
    /** It failed or was canceled. */
    FAILED,
    /** Its condition was false, or a step that it needed was skipped. */
    SKIPPED
}

package io.runledger.model.state;

/** How a run was changed after it started. */
public enum MutationKind implements WireText {
    /** Steps were added under an open gate. */
    APPEND_STEPS,
    /** Its failed and canceled steps were set back. */
    RETRY_FAILED;
}

package io.runledger.model.state;

/** What happened to a workflow step. */
public enum StepEventType implements WireText {
    /** It was declared or appended. */
    CREATED,
    /** Its job went to the queue. */
    RELEASED,
    /** Its gate opened. */
    OPENED,
    /** Its job was first claimed. */
    STARTED,
    /** It succeeded. */
    SUCCEEDED,
    /** It failed. */
    FAILED,
    /** It was canceled. */
    CANCELED,
    /** It was skipped. */
    SKIPPED,
    /** A retry of the run set it back. */
    RESET,
    /** An operator changed its payload. */
    EDITED;
}

package io.runledger.model.history;

import io.runledger.model.ledger.WireText;

/** The type of a step event. */
public enum StepEventType implements WireText {
    /** The step was declared or appended. */
    CREATED,
    /** The job of the step was enqueued. */
    RELEASED,
    /** The gate opened. */
    OPENED,
    /** The job of the step was claimed for the first time. */
    STARTED,
    /** The step succeeded. */
    SUCCEEDED,
    /** The step failed. */
    FAILED,
    /** The step was canceled. */
    CANCELED,
    /** The step was skipped. */
    SKIPPED,
    /** A retry of the run reset the step. */
    RESET,
    /** An operator changed the payload. */
    EDITED;
}

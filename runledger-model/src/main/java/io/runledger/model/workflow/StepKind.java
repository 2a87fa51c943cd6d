package io.runledger.model.workflow;

import io.runledger.model.ledger.WireText;

/** The kind of a step. */
public enum StepKind implements WireText {
    /** A job that a worker runs. */
    JOB,
    /** A gate that is completed from outside. */
    EXTERNAL;
}

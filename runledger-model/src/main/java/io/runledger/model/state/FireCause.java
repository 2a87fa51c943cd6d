package io.runledger.model.state;

/** Who made a schedule do something. */
public enum FireCause implements WireText {
    /** The clock. */
    CLOCK,
    /** Somebody, with a call. */
    OPERATOR;
}

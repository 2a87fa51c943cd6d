package io.runledger.model.state;

/** Who chose the time of a retry. */
public enum RetryTimingSource implements WireText {
    /** The retry policy. */
    POLICY,
    /** The handler asked for a later time. */
    HANDLER_NOT_BEFORE;
}

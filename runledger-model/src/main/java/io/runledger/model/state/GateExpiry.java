package io.runledger.model.state;

/** How a gate ends when its deadline passes. */
public enum GateExpiry implements WireText {
    /** As failed. */
    FAILED,
    /** As canceled. */
    CANCELED;
}

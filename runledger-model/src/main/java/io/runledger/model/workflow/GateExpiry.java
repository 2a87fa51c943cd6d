package io.runledger.model.workflow;

import io.runledger.model.ledger.WireText;

/** The status of a gate at its deadline. */
public enum GateExpiry implements WireText {
    /** The gate fails. */
    FAILED,
    /** The gate is canceled. */
    CANCELED;
}

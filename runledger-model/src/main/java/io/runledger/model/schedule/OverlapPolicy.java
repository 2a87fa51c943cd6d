package io.runledger.model.schedule;

import io.runledger.model.ledger.WireText;

/** The handling of a fire while the previous job or run is live. */
public enum OverlapPolicy implements WireText {
    /** Fire. */
    ALLOW,
    /** Skip the fire. */
    SKIP;
}

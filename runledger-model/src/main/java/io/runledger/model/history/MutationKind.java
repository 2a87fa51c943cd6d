package io.runledger.model.history;

import io.runledger.model.ledger.WireText;

/** The kind of change to a run after its start. */
public enum MutationKind implements WireText {
    /** Steps were added under an open gate. */
    APPEND_STEPS,
    /** The failed and canceled steps were reset. */
    RETRY_FAILED;
}

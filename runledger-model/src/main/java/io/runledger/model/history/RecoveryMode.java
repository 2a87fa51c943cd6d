package io.runledger.model.history;

import io.runledger.model.ledger.WireText;

/** The scope of a recovery. */
public enum RecoveryMode implements WireText {
    /** Every step runs again. */
    FULL_REPLAY;
}

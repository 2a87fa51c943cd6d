package io.runledger.model.state;

/** How much of an ended run a recovery does again. */
public enum RecoveryMode implements WireText {
    /** Every step runs again. */
    FULL_REPLAY;
}

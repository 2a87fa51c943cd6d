package io.runledger.model.job;

import io.runledger.model.ledger.WireText;

/** The source of the time of a retry. */
public enum RetryTimingSource implements WireText {
    /** The retry policy. */
    POLICY,
    /** The handler, which requested a later time. */
    HANDLER_NOT_BEFORE;
}

package io.runledger.model.job;

import io.runledger.model.ledger.WireText;

/** The reason why a job became a dead letter. */
public enum DeadLetterReason implements WireText {
    /** The failure cannot be retried. */
    FAILURE_KIND_NON_RETRYABLE,
    /** No attempts were left. */
    ATTEMPTS_EXHAUSTED,
    /** The lease of the last attempt expired. */
    LEASE_EXPIRED;
}

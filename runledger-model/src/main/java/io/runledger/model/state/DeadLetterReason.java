package io.runledger.model.state;

/** Why a job gave up. */
public enum DeadLetterReason implements WireText {
    /** Its failure cannot be retried. */
    FAILURE_KIND_NON_RETRYABLE,
    /** No attempts were left. */
    ATTEMPTS_EXHAUSTED,
    /** The last attempt's worker vanished. */
    LEASE_EXPIRED;
}

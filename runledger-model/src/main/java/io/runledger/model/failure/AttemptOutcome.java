package io.runledger.model.failure;

import io.runledger.model.ledger.WireText;

/** The outcome of an attempt. The first five are failure kinds. */
public enum AttemptOutcome implements WireText {
    /** Failed; may be retried. */
    RETRYABLE,
    /** Failed permanently, as reported by the handler. */
    TERMINAL,
    /** Failed with an {@link Error}. */
    PANICKED,
    /** Exceeded its timeout. */
    TIMEOUT,
    /** The worker stopped renewing the lease. */
    LEASE_EXPIRED,
    /** Succeeded. */
    SUCCEEDED,
    /** The job was canceled during the attempt. */
    CANCELED,
    /** Released without counting: shutdown, snooze, or handler not started. */
    INTERRUPTED;
}

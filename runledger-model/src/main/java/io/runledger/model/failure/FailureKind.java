package io.runledger.model.failure;

import io.runledger.model.ledger.WireText;

/** The kind of a failure. The retry policy decides whether the attempt is retried. */
public enum FailureKind implements WireText {
    /** Failed; may be retried. */
    RETRYABLE,
    /** Failed permanently, as reported by the handler; never retried. */
    TERMINAL,
    /** Failed with an {@link Error}; retried only if the policy retries panics. */
    PANICKED,
    /** Exceeded its timeout. */
    TIMEOUT,
    /** The worker stopped renewing the lease. */
    LEASE_EXPIRED;

    /** The outcome of the same name. */
    public AttemptOutcome outcome() {
        return switch (this) {
            case RETRYABLE -> AttemptOutcome.RETRYABLE;
            case TERMINAL -> AttemptOutcome.TERMINAL;
            case PANICKED -> AttemptOutcome.PANICKED;
            case TIMEOUT -> AttemptOutcome.TIMEOUT;
            case LEASE_EXPIRED -> AttemptOutcome.LEASE_EXPIRED;
        };
    }
}

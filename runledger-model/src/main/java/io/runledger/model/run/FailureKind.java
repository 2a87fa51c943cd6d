package io.runledger.model.run;

import io.runledger.model.state.AttemptOutcome;
import io.runledger.model.state.WireText;

/** How an attempt failed. What follows is decided by the retry policy, not by the kind alone. */
public enum FailureKind implements WireText {
    /** Failed; may be tried again. */
    RETRYABLE,
    /** Failed for good, by the handler's own word; never tried again. */
    TERMINAL,
    /** Failed with an {@link Error}; tried again only if the policy retries panics. */
    PANICKED,
    /** Ran past its timeout. */
    TIMEOUT,
    /** The worker vanished. */
    LEASE_EXPIRED;

    /**
     * What the attempt's row says.
     *
     * @return the outcome of the same name
     */
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

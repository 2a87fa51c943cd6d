package io.runledger.model.state;

/** How an attempt ended. The first five are failure kinds. */
public enum AttemptOutcome implements WireText {
    /** Failed; may be tried again. */
    RETRYABLE,
    /** Failed for good, by the handler's own word. */
    TERMINAL,
    /** Failed with an error that is not retried. */
    PANICKED,
    /** Ran past its timeout. */
    TIMEOUT,
    /** The worker vanished. */
    LEASE_EXPIRED,
    /** Succeeded. */
    SUCCEEDED,
    /** The job was called off while it ran. */
    CANCELED,
    /** Given back without being spent: shutdown, snooze, or never started. */
    INTERRUPTED;
}

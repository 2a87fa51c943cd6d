package io.runledger.model.state;

/** Whether an idempotent request did something or found it done. */
public enum Disposition {
    /** It was written now. */
    INSERTED,
    /** It was written earlier, by the same request under the same key; nothing was changed. */
    EXISTING,
    /** Another live run holds the active key; nothing was written. Only a start with an active key answers so. */
    ACTIVE
}

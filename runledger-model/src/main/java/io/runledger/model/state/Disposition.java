package io.runledger.model.state;

/** Whether an idempotent request did something or found it done. */
public enum Disposition {
    /** It was written now. */
    INSERTED,
    /** It was written earlier, by the same request under the same key; nothing was changed. */
    EXISTING
}

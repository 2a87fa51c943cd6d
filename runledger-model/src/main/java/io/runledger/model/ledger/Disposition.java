package io.runledger.model.ledger;

/** The result of an idempotent request. */
public enum Disposition {
    /** This call wrote the data. */
    INSERTED,
    /** An earlier request under the same key wrote the data; nothing was changed. */
    EXISTING,
    /** An earlier request under the same key wrote the data, and this call changed it. Only an enqueue of a job has this result. */
    REPLACED,
    /** Another live run holds the active key; nothing was written. Only a start with an active key has this result. */
    ACTIVE
}

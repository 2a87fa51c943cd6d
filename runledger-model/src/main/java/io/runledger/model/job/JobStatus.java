package io.runledger.model.job;

import io.runledger.model.ledger.WireText;

/** The status of a job. */
public enum JobStatus implements WireText {
    /** The job waits until it is due and a worker claims it. */
    PENDING,
    /** A worker has claimed the job. */
    LEASED,
    /** Succeeded. */
    SUCCEEDED,
    /** The job failed permanently and waits for an operator. */
    DEAD_LETTERED,
    /** Canceled. */
    CANCELED;

    public boolean isTerminal() {
        return this == SUCCEEDED || this == DEAD_LETTERED || this == CANCELED;
    }
}

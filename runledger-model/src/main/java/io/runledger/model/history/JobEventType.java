package io.runledger.model.history;

import io.runledger.model.ledger.WireText;

/** The type of a job event. */
public enum JobEventType implements WireText {
    /** The job was accepted. */
    ENQUEUED,
    /** A worker claimed the job. */
    LEASED,
    /** Kept for compatibility; lease renewals are not recorded. */
    HEARTBEAT,
    /** The stage changed. */
    STAGE_CHANGED,
    /** The handler reported progress. */
    PROGRESS,
    /** A retry was scheduled. */
    RETRY_SCHEDULED,
    /** The job succeeded. */
    SUCCEEDED,
    /** An attempt failed. */
    FAILED,
    /** The job became a dead letter. */
    DEAD_LETTERED,
    /** The job was canceled. */
    CANCELED,
    /** The job returned to the queue: it was requeued, continued, snoozed or released. */
    REQUEUED,
    /** An operator changed the payload or the settings. */
    EDITED,
    /** The handler continued after its timeout, and the worker waits for it. */
    TIMEOUT_IGNORED;
}

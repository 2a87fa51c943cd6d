package io.runledger.model.state;

/** What happened to a job. */
public enum JobEventType implements WireText {
    /** It was accepted. */
    ENQUEUED,
    /** A worker claimed it. */
    LEASED,
    /** Kept for compatibility; renewals are not journalled. */
    HEARTBEAT,
    /** It entered a stage. */
    STAGE_CHANGED,
    /** Its handler reported progress. */
    PROGRESS,
    /** It will be tried again. */
    RETRY_SCHEDULED,
    /** It succeeded. */
    SUCCEEDED,
    /** An attempt failed. */
    FAILED,
    /** It gave up. */
    DEAD_LETTERED,
    /** It was called off. */
    CANCELED,
    /** It went back to the queue: requeued, continued, snoozed or given back. */
    REQUEUED,
    /** An operator changed its payload or settings. */
    EDITED,
    /** Its handler went on although its time was up, and is waited for. */
    TIMEOUT_IGNORED;
}

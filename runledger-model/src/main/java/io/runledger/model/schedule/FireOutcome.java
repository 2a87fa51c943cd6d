package io.runledger.model.schedule;

import io.runledger.model.ledger.WireText;

/** The outcome of a scheduled instant, or an action of an operator on the schedule. */
public enum FireOutcome implements WireText {
    /** The schedule created a job or started a run. */
    FIRED,
    /** Skipped, because the previous job or run was still live. */
    SKIPPED_OVERLAP,
    /**
     * Skipped, because the fire was missed and the policy skips misfires, or because the schedule was paused or changed
     * while the fire was deferred.
     */
    SKIPPED_MISFIRE,
    /** The schedule could not fire and is retried. */
    DEFERRED,
    /** The poll found nothing to start, or its trigger was paused during the poll. */
    SKIPPED_POLL,
    /** The poll returned a dedup key that an earlier poll has used. */
    SKIPPED_DUPLICATE,
    /** The poll failed, or its result could not be started. */
    FAILED,
    /** An operator requested a poll before it was due. */
    POLL_REQUESTED,
    /** The schedule was paused. */
    PAUSED,
    /** The schedule was resumed. */
    RESUMED;
}

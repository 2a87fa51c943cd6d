package io.runledger.model.state;

/** What became of a scheduled instant, or what somebody did to its schedule. */
public enum FireOutcome implements WireText {
    /** It made a job or started a run. */
    FIRED,
    /** Skipped: the last job or run was still live. */
    SKIPPED_OVERLAP,
    /** Skipped: missed, and the policy says skip; or deferred, and the schedule was paused or changed before it could fire. */
    SKIPPED_MISFIRE,
    /** It could not fire yet; it is tried again. */
    DEFERRED,
    /** The poll found nothing to start, or its trigger was paused meanwhile. */
    SKIPPED_POLL,
    /** The poll found what an earlier one has started. */
    SKIPPED_DUPLICATE,
    /** The poll failed, or what it found could not be started. */
    FAILED,
    /** Somebody asked for a poll before its time. */
    POLL_REQUESTED,
    /** The schedule was paused. */
    PAUSED,
    /** The schedule was resumed. */
    RESUMED;
}

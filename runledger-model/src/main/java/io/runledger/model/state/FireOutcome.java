package io.runledger.model.state;

/** What became of a scheduled instant. */
public enum FireOutcome implements WireText {
    /** It made a job. */
    FIRED,
    /** Skipped: the previous job was still live. */
    SKIPPED_OVERLAP,
    /** Skipped: missed, and the policy says skip. */
    SKIPPED_MISFIRE;
}

package io.runledger.model.state;

/**
 * What became of a progress report.
 *
 * @param lease the lease it was made under
 * @param result whether it was written
 */
public record ReportedProgress(Lease lease, Result result) {
    /** Whether a report was written. */
    public enum Result {
        /** Written. */
        WRITTEN,
        /** Not written: together with the stored counts, more would be done than there is. */
        INVALID,
        /** Not written: the lease is no longer held. */
        LOST
    }
}

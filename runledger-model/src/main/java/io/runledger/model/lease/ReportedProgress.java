package io.runledger.model.lease;

import io.runledger.model.job.Lease;

/** The result of a progress report. */
public record ReportedProgress(Lease lease, Result result) {
    public enum Result {
        /** The report was written. */
        WRITTEN,
        /** Not written: together with the stored counts, {@code done} would exceed {@code total}. */
        INVALID,
        /** Not written: the lease is no longer held. */
        LOST
    }
}

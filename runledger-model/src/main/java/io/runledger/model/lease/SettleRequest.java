package io.runledger.model.lease;

import io.runledger.model.job.Lease;
import io.runledger.model.job.Progress;

/**
 * A request to end an attempt.
 *
 * @param progress final counts; an unknown count keeps the reported one
 * @param isStep whether the job is known to belong to a workflow step. A wrong value only costs additional statements
 */
public record SettleRequest(Lease lease, Verdict verdict, Progress progress, boolean isStep) {
    /**
     * Use this constructor if it is not known whether the job belongs to a workflow step.
     *
     * @param progress final counts; an unknown count keeps the reported one
     */
    public SettleRequest(Lease lease, Verdict verdict, Progress progress) {
        this(lease, verdict, progress, false);
    }

    /** Keeps the reported counts. */
    public static SettleRequest of(Lease lease, Verdict verdict) {
        return new SettleRequest(lease, verdict, Progress.NONE);
    }

    /** Keeps the reported counts. */
    public static SettleRequest of(ClaimedJob job, Verdict verdict) {
        return new SettleRequest(job.lease(), verdict, Progress.NONE, job.step() != null);
    }
}

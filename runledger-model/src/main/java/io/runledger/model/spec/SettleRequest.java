package io.runledger.model.spec;

import io.runledger.model.policy.Verdict;
import io.runledger.model.state.ClaimedJob;
import io.runledger.model.state.Lease;
import io.runledger.model.state.Progress;

/**
 * How an attempt ends.
 *
 * @param lease what proves that it is the caller's to end
 * @param verdict what becomes of the job
 * @param progress final counts; what is unknown keeps what was reported before
 * @param isStep whether the job is known to be a step of a workflow. Only a hint at what to try first: a wrong one changes nothing
 *     but the number of statements
 */
public record SettleRequest(Lease lease, Verdict verdict, Progress progress, boolean isStep) {
    /**
     * An ending of which is not known whether the job is a step.
     *
     * @param lease what proves that it is the caller's to end
     * @param verdict what becomes of the job
     * @param progress final counts; what is unknown keeps what was reported before
     */
    public SettleRequest(Lease lease, Verdict verdict, Progress progress) {
        this(lease, verdict, progress, false);
    }

    /**
     * An ending without counts of its own.
     *
     * @param lease what proves that it is the caller's to end
     * @param verdict what becomes of the job
     * @return the request
     */
    public static SettleRequest of(Lease lease, Verdict verdict) {
        return new SettleRequest(lease, verdict, Progress.NONE);
    }

    /**
     * An ending without counts of its own, of a job as it was claimed.
     *
     * @param job the claimed job
     * @param verdict what becomes of it
     * @return the request
     */
    public static SettleRequest of(ClaimedJob job, Verdict verdict) {
        return new SettleRequest(job.lease(), verdict, Progress.NONE, job.step() != null);
    }
}

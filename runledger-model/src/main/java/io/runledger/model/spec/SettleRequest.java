package io.runledger.model.spec;

import io.runledger.model.policy.Verdict;
import io.runledger.model.state.Lease;
import io.runledger.model.state.Progress;

/**
 * How an attempt ends.
 *
 * @param lease what proves that it is the caller's to end
 * @param verdict what becomes of the job
 * @param progress final counts; what is unknown keeps what was reported before
 */
public record SettleRequest(Lease lease, Verdict verdict, Progress progress) {
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
}

package io.runledger.model.job;

import java.util.Objects;
import java.util.UUID;

/**
 * The fencing token of a claim. A worker passes it with every write to the job; a write whose lease does not match the
 * job's row changes nothing.
 *
 * @param runNumber number of the job's run
 * @param attempt number of the attempt within the run
 * @param leaseId unique for every claim
 * @param isStep whether the job is known to belong to a workflow step; not compared by {@code equals}. A wrong value
 *     only costs additional statements
 */
public record Lease(UUID jobId, int runNumber, int attempt, String workerId, UUID leaseId, boolean isStep) {
    public Lease {
        Objects.requireNonNull(jobId, "jobId");
        Objects.requireNonNull(workerId, "workerId");
        Objects.requireNonNull(leaseId, "leaseId");
    }

    /** Use this constructor if it is not known whether the job belongs to a workflow step. */
    public Lease(UUID jobId, int runNumber, int attempt, String workerId, UUID leaseId) {
        this(jobId, runNumber, attempt, workerId, leaseId, false);
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Lease lease
                && leaseId.equals(lease.leaseId)
                && jobId.equals(lease.jobId)
                && runNumber == lease.runNumber
                && attempt == lease.attempt
                && workerId.equals(lease.workerId);
    }

    @Override
    public int hashCode() {
        return leaseId.hashCode();
    }
}

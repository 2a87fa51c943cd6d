package io.runledger.model.job;

import java.util.UUID;

/**
 * The fencing token of a claim. A worker passes it with every write to the job; a write whose lease does not match the
 * job's row changes nothing.
 *
 * @param runNumber number of the job's run
 * @param attempt number of the attempt within the run
 * @param leaseId unique for every claim
 */
public record Lease(UUID jobId, int runNumber, int attempt, String workerId, UUID leaseId) {}

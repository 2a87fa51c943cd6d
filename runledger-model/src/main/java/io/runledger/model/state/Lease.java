package io.runledger.model.state;

import java.util.UUID;

/**
 * What a worker must show to write to a job it claimed: the fencing identity as one value. A write whose lease does not match the
 * job's row changes nothing.
 *
 * @param jobId the job
 * @param runNumber the job's run
 * @param attempt the attempt, within the run
 * @param workerId who claimed it
 * @param leaseId drawn anew for every claim
 */
public record Lease(UUID jobId, int runNumber, int attempt, String workerId, UUID leaseId) {}

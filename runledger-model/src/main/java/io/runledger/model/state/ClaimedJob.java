package io.runledger.model.state;

import io.runledger.model.json.Json;
import java.time.Duration;
import java.time.Instant;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A job a worker holds, with what it needs to run it.
 *
 * @param lease what the worker must show to write to the job
 * @param jobType which handler runs it
 * @param organizationId tenant it belongs to, or null for a global job
 * @param priority its priority
 * @param maxAttempts attempts that may be spent
 * @param interruptions attempts of this run that were given back and do not count
 * @param timeout how long the attempt may run
 * @param payload what the handler gets
 * @param checkpoint where an earlier attempt left off
 * @param retryPolicy the job's own retry policy, else that stored with its type, else null for the standard one
 * @param startedAt when the first attempt of this run was claimed, by the database's clock
 * @param leasedAt when it was claimed, by the database's clock
 * @param leaseExpiresAt when the lease ends unless renewed, by the database's clock
 * @param step the workflow step it belongs to, if any
 */
public record ClaimedJob(
        Lease lease,
        String jobType,
        @Nullable UUID organizationId,
        int priority,
        int maxAttempts,
        int interruptions,
        Duration timeout,
        Json payload,
        @Nullable Json checkpoint,
        @Nullable Json retryPolicy,
        Instant startedAt,
        Instant leasedAt,
        Instant leaseExpiresAt,
        @Nullable ClaimedStep step) {
    /**
     * The workflow step a claimed job belongs to.
     *
     * @param runId the run
     * @param stepId the step
     * @param stepKey the step's key
     */
    public record ClaimedStep(UUID runId, UUID stepId, String stepKey) {}

    /** Names the attempt: payloads are not for logs. */
    @Override
    public String toString() {
        return jobType + " job " + lease.jobId() + " (run " + lease.runNumber() + ", attempt " + lease.attempt() + ")";
    }
}

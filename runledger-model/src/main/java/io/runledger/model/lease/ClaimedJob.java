package io.runledger.model.lease;

import io.runledger.model.job.Lease;
import io.runledger.model.json.Json;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A job that a worker has claimed, with the data to run it.
 *
 * @param lease required for every write to the job
 * @param organizationId organization of the job, or null for a global job
 * @param maxAttempts maximum number of attempts
 * @param interruptions number of attempts of this run that were released and do not count
 * @param timeout maximum duration of the attempt
 * @param checkpoint last checkpoint that an earlier attempt saved
 * @param retryPolicy retry policy of the job or, if it has none, of its type; null for the standard policy
 * @param headers carried beside the payload
 * @param startedAt time of the first claim of this run, by the database's clock
 * @param leasedAt time of this claim, by the database's clock
 * @param leaseExpiresAt expiry of the lease unless it is renewed, by the database's clock
 * @param waitMicros time from when the job was due until this claim, by the database's clock, in microseconds; zero if it
 *     is unknown
 * @param step workflow step of the job, if any
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
        Map<String, String> headers,
        Instant startedAt,
        Instant leasedAt,
        Instant leaseExpiresAt,
        long waitMicros,
        @Nullable ClaimedStep step) {
    public record ClaimedStep(UUID runId, UUID stepId, String stepKey) {}

    /** Whether no attempt is left after this one. */
    public boolean isLastAttempt() {
        return lease.attempt() - interruptions >= maxAttempts;
    }

    /** Identifies the attempt; omits payload and headers, which must not be logged. */
    @Override
    public String toString() {
        return jobType + " job " + lease.jobId() + " (run " + lease.runNumber() + ", attempt " + lease.attempt() + ")";
    }
}

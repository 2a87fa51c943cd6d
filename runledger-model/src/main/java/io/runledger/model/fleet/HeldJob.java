package io.runledger.model.fleet;

import java.time.Instant;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A job that a worker has claimed.
 *
 * @param organizationId organization of the job, or null for a global job
 * @param attempt number of claims in the current run
 * @param startedAt start of the handler; null if the job waits for a slot of the worker, or its start is not stored yet
 * @param leaseExpiresAt expiry of the lease unless it is renewed
 */
public record HeldJob(
        UUID jobId,
        String jobType,
        @Nullable UUID organizationId,
        int runNumber,
        int attempt,
        Instant leasedAt,
        @Nullable Instant startedAt,
        Instant leaseExpiresAt) {}

package io.runledger.model.flow;

import java.time.Instant;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A job that has a permit.
 *
 * @param leaseExpiresAt end of its lease, unless the worker renews it
 */
public record LimitHolder(
        UUID jobId, String jobType, @Nullable String workerId, Instant leasedAt, Instant leaseExpiresAt) {}

package io.runledger.model.state;

import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * The attempt a worker is at: what a job's row holds while the job is {@link JobStatus#LEASED}. Once ended it is an {@link Attempt}.
 *
 * @param lease whose it is
 * @param claimOrigin whether the claim was the start
 * @param leasedAt when it was claimed
 * @param leaseDuration length of the lease the claim took
 * @param leaseExpiresAt when the lease ends unless renewed
 * @param lastHeartbeatAt last renewal
 * @param executionStartedAt when its handler is known to have started, or null before that
 */
public record OpenAttempt(
        Lease lease,
        ClaimOrigin claimOrigin,
        Instant leasedAt,
        Duration leaseDuration,
        Instant leaseExpiresAt,
        @Nullable Instant lastHeartbeatAt,
        @Nullable Instant executionStartedAt) {}

package io.runledger.model.job;

import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * The running attempt of a job that is {@link JobStatus#LEASED}. After its end it is an {@link Attempt}.
 *
 * @param leasedAt time of the claim
 * @param leaseDuration duration of the lease at the claim
 * @param leaseExpiresAt expiry of the lease unless it is renewed
 * @param lastHeartbeatAt time of the last lease renewal
 * @param executionStartedAt start of the handler, or null if it has not started
 */
public record OpenAttempt(
        Lease lease,
        ClaimOrigin claimOrigin,
        Instant leasedAt,
        Duration leaseDuration,
        Instant leaseExpiresAt,
        @Nullable Instant lastHeartbeatAt,
        @Nullable Instant executionStartedAt) {}

package io.runledger.model.definition;

import java.time.Duration;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Metrics of a job type in a scope: live jobs, and jobs that ended within a time window.
 *
 * @param organizationId null for global jobs and for all jobs together
 * @param window time window of the numbers of ended jobs and attempts
 * @param pending waiting jobs, including jobs that are due later
 * @param leased running jobs
 * @param staleLeases jobs whose lease has expired
 * @param succeeded jobs that succeeded within the window
 * @param retryable attempts with a retryable failure
 * @param terminal attempts with a terminal failure
 * @param leaseExpired attempts whose lease expired
 * @param deadLettered jobs that became dead letters within the window and still are dead letters
 * @param medianDuration median duration of ended attempts, or null if none ended
 * @param p95Duration 95th percentile of the duration of ended attempts, or null if none ended
 */
public record JobMetrics(
        @Nullable UUID organizationId,
        String jobType,
        Duration window,
        long pending,
        long leased,
        long staleLeases,
        long succeeded,
        long retryable,
        long terminal,
        long panicked,
        long timedOut,
        long leaseExpired,
        long deadLettered,
        @Nullable Duration medianDuration,
        @Nullable Duration p95Duration) {}

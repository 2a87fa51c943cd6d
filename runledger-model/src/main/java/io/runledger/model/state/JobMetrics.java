package io.runledger.model.state;

import java.time.Duration;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Counts of one job type in one scope: what is live now, and what ended within a window before now.
 *
 * @param organizationId organization, or null for global jobs and for all jobs together
 * @param jobType job type
 * @param window how far back the numbers of ended jobs and attempts reach
 * @param pending jobs waiting, also those due later
 * @param leased jobs running
 * @param staleLeases jobs whose lease has expired
 * @param succeeded jobs that succeeded within the window
 * @param retryable attempts that failed retryably
 * @param terminal attempts that failed for good
 * @param panicked attempts that panicked
 * @param timedOut attempts that timed out
 * @param leaseExpired attempts whose worker vanished
 * @param deadLettered jobs that became dead letters within the window and still are
 * @param medianDuration median duration of ended attempts, or null when none ended
 * @param p95Duration 95th percentile of the duration of ended attempts, or null when none ended
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

package io.runledger.model.job;

import io.runledger.model.failure.AttemptOutcome;
import io.runledger.model.json.Json;
import java.time.Duration;
import java.time.Instant;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * An ended attempt. A running attempt is the job's {@link OpenAttempt}.
 *
 * @param runNumber number of the job's run
 * @param attempt number within the run, from 1 without gaps
 * @param leaseDuration duration of the lease at the claim
 * @param leasedAt time of the claim
 * @param startedAt start of the handler or, if unknown, time of the claim
 * @param executionStartedAt start of the handler, or null if unknown
 * @param lastHeartbeatAt last lease renewal; only for expired leases
 * @param retryDelay delay chosen by the retry policy, or null if there is no retry
 * @param nextRunAt time at which the job became due again, or null if it did not
 * @param retryTimingSource source of {@code nextRunAt}
 * @param requestedNotBefore earliest retry time requested by the handler
 * @param errorCode failure code or, for an interrupted attempt, the reason of the release
 * @param errorDetails failure details from the handler
 */
public record Attempt(
        UUID jobId,
        int runNumber,
        int attempt,
        AttemptOutcome outcome,
        String workerId,
        ClaimOrigin claimOrigin,
        Duration leaseDuration,
        Instant leasedAt,
        Instant startedAt,
        @Nullable Instant executionStartedAt,
        @Nullable Instant lastHeartbeatAt,
        Instant finishedAt,
        @Nullable Duration retryDelay,
        @Nullable Instant nextRunAt,
        @Nullable RetryTimingSource retryTimingSource,
        @Nullable Instant requestedNotBefore,
        @Nullable String errorCode,
        @Nullable String errorMessage,
        @Nullable Json errorDetails) {
    /** The time from {@code startedAt} to {@code finishedAt}. */
    public Duration duration() {
        return Duration.between(startedAt, finishedAt);
    }
}

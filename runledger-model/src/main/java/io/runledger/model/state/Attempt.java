package io.runledger.model.state;

import io.runledger.model.json.Json;
import java.time.Duration;
import java.time.Instant;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * An ended attempt, written once, when it ended. One that still runs is the job's {@link OpenAttempt}.
 *
 * @param jobId the job
 * @param runNumber the job's run
 * @param attempt number within the run, without gaps
 * @param outcome how it ended
 * @param workerId who ran it
 * @param claimOrigin whether the claim was the start
 * @param leaseDuration length of the lease its claim took
 * @param leasedAt when it was claimed
 * @param startedAt when its handler started, as far as known; else the claim
 * @param executionStartedAt when its handler was known to have started, or null if it never was
 * @param lastHeartbeatAt last renewal before it expired; kept for expired leases only
 * @param finishedAt when it ended
 * @param retryDelay the delay the policy chose, or null when nothing was to be retried
 * @param nextRunAt when the job became due again, or null if it did not
 * @param retryTimingSource who chose that time
 * @param requestedNotBefore the time the handler asked for
 * @param errorCode failure code; for an interrupted attempt why it was given back
 * @param errorMessage failure message
 * @param errorDetails what else the handler said about the failure
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
    /**
     * How long it took.
     *
     * @return from its start, as far as known, to its end
     */
    public Duration duration() {
        return Duration.between(startedAt, finishedAt);
    }
}

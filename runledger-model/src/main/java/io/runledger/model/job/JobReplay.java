package io.runledger.model.job;

import java.time.Instant;
import java.util.UUID;

/**
 * A replay: a new job that repeats a succeeded job.
 *
 * @param sourceJobId the succeeded job
 * @param sourceRunNumber run of the succeeded job
 * @param requestKey idempotency key of the request
 * @param createdAt time of the request
 */
public record JobReplay(
        UUID replayJobId, UUID sourceJobId, int sourceRunNumber, String requestKey, String reason, Instant createdAt) {}

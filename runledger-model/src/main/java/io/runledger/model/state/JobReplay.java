package io.runledger.model.state;

import java.time.Instant;
import java.util.UUID;

/**
 * Which succeeded job a new job repeats.
 *
 * @param replayJobId the new job
 * @param sourceJobId the job it repeats
 * @param sourceRunNumber the run it repeats
 * @param requestKey makes the request repeatable
 * @param reason why
 * @param createdAt when it was asked for
 */
public record JobReplay(
        UUID replayJobId, UUID sourceJobId, int sourceRunNumber, String requestKey, String reason, Instant createdAt) {}

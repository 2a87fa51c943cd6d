package io.runledger.model.state;

import java.time.Instant;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Something that happened to a run as a whole.
 *
 * @param runId the run
 * @param type what happened
 * @param reason why; null when nobody said
 * @param occurredAt when it happened
 */
public record RunEvent(
        UUID runId, RunEventType type, @Nullable String reason, Instant occurredAt) {}

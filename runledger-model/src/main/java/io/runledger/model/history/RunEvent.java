package io.runledger.model.history;

import java.time.Instant;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * An event of a run as a whole.
 *
 * @param reason reason given for the event, if any
 */
public record RunEvent(
        UUID runId, RunEventType type, @Nullable String reason, Instant occurredAt) {}

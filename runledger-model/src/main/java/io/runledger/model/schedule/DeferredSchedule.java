package io.runledger.model.schedule;

import io.runledger.model.error.ErrorCode;
import java.time.Instant;
import java.util.UUID;

/**
 * A due schedule that could not fire and is retried later.
 *
 * @param code stable code of the cause
 * @param reason cause and next step
 * @param until time of the next try
 */
public record DeferredSchedule(UUID scheduleId, String name, ErrorCode code, String reason, Instant until) {}

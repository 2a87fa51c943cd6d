package io.runledger.model.state;

import io.runledger.model.error.ErrorCode;
import java.time.Instant;
import java.util.UUID;

/**
 * A due schedule that could not fire and is tried again a little later.
 *
 * @param scheduleId the schedule
 * @param name its name
 * @param code why, as a stable code
 * @param reason why, and what to do about it
 * @param until when it is due again
 */
public record DeferredSchedule(UUID scheduleId, String name, ErrorCode code, String reason, Instant until) {}

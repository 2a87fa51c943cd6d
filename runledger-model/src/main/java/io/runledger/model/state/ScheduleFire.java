package io.runledger.model.state;

import java.time.Instant;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * What became of one scheduled instant. There is one per schedule and instant, so a fire happens once.
 *
 * @param scheduleId the schedule
 * @param scheduledFor the instant the schedule asked for
 * @param firedAt when it was handled
 * @param outcome what became of it
 * @param jobId the job it made, or null when skipped or pruned
 */
public record ScheduleFire(
        UUID scheduleId,
        Instant scheduledFor,
        Instant firedAt,
        FireOutcome outcome,
        @Nullable UUID jobId) {}

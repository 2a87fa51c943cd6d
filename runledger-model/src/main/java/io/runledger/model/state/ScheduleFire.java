package io.runledger.model.state;

import java.time.Duration;
import java.time.Instant;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A line in the history of a schedule: what became of one of its instants, or what somebody did to it. There is one for each instant
 * that the clock brings, so a fire happens once.
 *
 * @param scheduleId the schedule
 * @param jobId the job it made, or null when it made none or the job was pruned
 * @param runId the run it started, or null when it started none or the run was pruned
 * @param scheduledFor the instant the schedule asked for; for what somebody did, when
 * @param firedAt when it was decided, at last
 * @param times how often it was handled: deferred and tried again, or polled in a row with the same result
 * @param cause the clock or somebody
 * @param outcome what was decided
 * @param dedupKey what a poll found, empty for everything else
 * @param errorCode why it was deferred or failed, as a stable code; kept when it fired later
 * @param reason why, in words
 */
public record ScheduleFire(
        UUID scheduleId,
        @Nullable UUID jobId,
        @Nullable UUID runId,
        Instant scheduledFor,
        Instant firedAt,
        int times,
        FireCause cause,
        FireOutcome outcome,
        String dedupKey,
        @Nullable String errorCode,
        @Nullable String reason) {
    /** What is later than this was missed. */
    public static final Duration GRACE = Duration.ofMinutes(1);

    /**
     * How long after its instant it was decided.
     *
     * @return zero or more
     */
    public Duration lateness() {
        Duration late = Duration.between(scheduledFor, firedAt);
        return late.isNegative() ? Duration.ZERO : late;
    }

    /**
     * Whether it fired for an instant that had been missed.
     *
     * @return true when it fired more than a minute late
     */
    public boolean caughtUp() {
        return outcome == FireOutcome.FIRED
                && cause == FireCause.CLOCK
                && lateness().compareTo(GRACE) > 0;
    }
}

package io.runledger.model.schedule;

import java.time.Duration;
import java.time.Instant;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * An entry in the history of a schedule: the outcome of an instant, or an action of an operator. There is one entry per
 * scheduled instant, so that an instant fires once. A backfill adds an entry of its own for each instant that it fires.
 *
 * @param jobId created job, or null if there is none or it was pruned
 * @param runId started run, or null if there is none or it was pruned
 * @param scheduledFor scheduled instant, or the time of the operator's action
 * @param firedAt time of the last decision
 * @param times number of decisions: a deferred fire is retried, and consecutive polls with the same result share an
 *     entry
 * @param dedupKey dedup key of a poll; the id of the job or run if a backfill fired an instant again; empty otherwise
 * @param errorCode stable code of the deferral or failure; kept if the schedule fires later
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
    /** A fire that is later than this counts as missed. */
    public static final Duration GRACE = Duration.ofMinutes(1);

    /** The time from the scheduled instant to the decision; zero or more. */
    public Duration lateness() {
        Duration late = Duration.between(scheduledFor, firedAt);
        return late.isNegative() ? Duration.ZERO : late;
    }

    /** Whether the fire was missed and run later. */
    public boolean caughtUp() {
        return outcome == FireOutcome.FIRED
                && cause == FireCause.CLOCK
                && lateness().compareTo(GRACE) > 0;
    }
}

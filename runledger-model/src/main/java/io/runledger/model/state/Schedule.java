package io.runledger.model.state;

import io.runledger.model.json.Json;
import java.time.Duration;
import java.time.Instant;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * What makes jobs, starts workflow runs or polls by the clock: either by a cron expression or by an interval, never both.
 *
 * @param id time-ordered; also the seed of the jitter
 * @param name unique, across all organizations
 * @param kind what it does
 * @param jobType type of the jobs it makes, or null when it makes none
 * @param workflowType type of the runs it starts, or null when it starts none
 * @param workflowRequest what the runs are asked for, as the ledger keeps it
 * @param organizationId tenant the jobs or runs belong to, or null for global ones
 * @param cron cron expression, or null for an interval schedule
 * @param interval time between fires, or null for a cron schedule
 * @param timeZone IANA zone the cron expression is read in
 * @param maxJitter upper bound of the delay added to each fire
 * @param misfirePolicy what becomes of missed fires
 * @param misfireLimit how many missed fires {@link MisfirePolicy#ALL} makes up for
 * @param overlapPolicy what happens while the last job or run is live
 * @param version the declaring code's own version of the schedule; an older declaration changes nothing
 * @param active false while paused
 * @param declaredActive what code declares while an operator's pause or resume stands instead, or null while none does
 * @param payloadTemplate payload of the jobs; the fire's own facts are added
 * @param nextFireAt the next fire, jitter included
 * @param deferredFrom the instant that could not fire yet, while it is tried again
 * @param lastFiredAt when it last fired
 * @param lastJobId the job of the last fire
 * @param lastRunId the run of the last fire
 * @param pollId the poll under way
 * @param pollUntil when another worker may take the poll over
 * @param anchorAt what an interval counts from: the first fire, before its jitter
 * @param createdByUserId who made it, in the host's own terms
 * @param createdAt when it was made
 * @param updatedAt when the row last changed
 */
public record Schedule(
        UUID id,
        String name,
        ScheduleKind kind,
        @Nullable String jobType,
        @Nullable String workflowType,
        @Nullable Json workflowRequest,
        @Nullable UUID organizationId,
        @Nullable String cron,
        @Nullable Duration interval,
        String timeZone,
        Duration maxJitter,
        MisfirePolicy misfirePolicy,
        int misfireLimit,
        OverlapPolicy overlapPolicy,
        int version,
        boolean active,
        @Nullable Boolean declaredActive,
        Json payloadTemplate,
        Instant nextFireAt,
        @Nullable Instant deferredFrom,
        @Nullable Instant lastFiredAt,
        @Nullable UUID lastJobId,
        @Nullable UUID lastRunId,
        @Nullable UUID pollId,
        @Nullable Instant pollUntil,
        Instant anchorAt,
        @Nullable UUID createdByUserId,
        Instant createdAt,
        Instant updatedAt) {}

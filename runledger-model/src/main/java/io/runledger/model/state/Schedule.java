package io.runledger.model.state;

import io.runledger.model.json.Json;
import java.time.Duration;
import java.time.Instant;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * What makes jobs by the clock: either by a cron expression or by an interval, never both.
 *
 * @param id time-ordered; also the seed of the jitter
 * @param name unique, across all organizations
 * @param jobType type of the jobs it makes
 * @param organizationId tenant the jobs belong to, or null for global jobs
 * @param cron cron expression, or null for an interval schedule
 * @param interval time between fires, or null for a cron schedule
 * @param timeZone IANA zone the cron expression is read in
 * @param maxJitter upper bound of the delay added to each fire
 * @param misfirePolicy what becomes of missed fires
 * @param misfireLimit how many missed fires {@link MisfirePolicy#ALL} makes up for
 * @param overlapPolicy what happens while the last job is live
 * @param active false while paused
 * @param payloadTemplate payload of the jobs; the fire's own facts are added
 * @param nextFireAt the next fire, jitter included
 * @param lastFiredAt when it last fired
 * @param lastJobId the job of the last fire
 * @param anchorAt what an interval counts from: the first fire, before its jitter
 * @param createdByUserId who made it, in the host's own terms
 * @param createdAt when it was made
 * @param updatedAt when the row last changed
 */
public record Schedule(
        UUID id,
        String name,
        String jobType,
        @Nullable UUID organizationId,
        @Nullable String cron,
        @Nullable Duration interval,
        String timeZone,
        Duration maxJitter,
        MisfirePolicy misfirePolicy,
        int misfireLimit,
        OverlapPolicy overlapPolicy,
        boolean active,
        Json payloadTemplate,
        Instant nextFireAt,
        @Nullable Instant lastFiredAt,
        @Nullable UUID lastJobId,
        Instant anchorAt,
        @Nullable UUID createdByUserId,
        Instant createdAt,
        Instant updatedAt) {}

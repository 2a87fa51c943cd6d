package io.runledger.model.schedule;

import io.runledger.model.json.Json;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A schedule that creates jobs, starts workflow runs or polls. It fires either by a cron expression or at an interval.
 *
 * @param id time-ordered; also the seed of the jitter
 * @param name unique across all organizations
 * @param jobType type of the created jobs, or null if the schedule creates none
 * @param workflowType type of the started runs, or null if the schedule starts none
 * @param workflowRequest stored request of the runs
 * @param organizationId organization of the jobs or runs, or null for global ones
 * @param cron cron expression, or null for an interval schedule
 * @param interval time between fires, or null for a cron schedule
 * @param timeZone IANA time zone of the cron expression
 * @param maxJitter upper bound of the delay added to each fire
 * @param misfirePolicy handling of missed fires
 * @param misfireLimit maximum number of missed fires that {@link MisfirePolicy#ALL} runs
 * @param overlapPolicy handling of a fire while the previous job or run is live
 * @param version version of the declaration; a declaration with an older version changes nothing
 * @param active false if the schedule is paused
 * @param declaredActive declared value of {@code active} while an operator overrides it by a pause or resumption; null
 *     if there is no override
 * @param payloadTemplate payload of the jobs; the data of the fire is added
 * @param headers of each job or run that the schedule starts
 * @param nextFireAt time of the next fire, including jitter
 * @param deferredFrom instant that could not fire and is being retried
 * @param pollId id of the running poll
 * @param pollUntil time after which another worker may take over the poll
 * @param anchorAt start of the intervals: the first fire, before jitter
 * @param createdByUserId user that created the schedule, as defined by the application
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
        Map<String, String> headers,
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

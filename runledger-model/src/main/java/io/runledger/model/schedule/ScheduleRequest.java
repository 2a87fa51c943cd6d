package io.runledger.model.schedule;

import io.runledger.model.error.ErrorCode;
import io.runledger.model.error.InvalidRequestException;
import io.runledger.model.job.JobType;
import io.runledger.model.json.Payload;
import io.runledger.model.text.Text;
import io.runledger.model.value.Headers;
import io.runledger.model.value.Identifier;
import io.runledger.model.value.SettingRules;
import io.runledger.model.workflow.WorkflowRequest;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A schedule to be saved. It creates jobs or starts workflow runs, either by a cron expression or at a fixed interval.
 * The cron expression is validated when the schedule is saved.
 *
 * @param name unique among all schedules, across organizations
 * @param jobType type of the created jobs, or null if the schedule starts workflows
 * @param payload payload of the jobs; the data of the fire is added as member {@code _schedule}
 * @param workflow workflow to start, or null if the schedule creates jobs; the data of the fire is added to its
 *     metadata and to every payload that is an object. It must not have an idempotency key, because each fire sets one,
 *     or an active key; use {@link OverlapPolicy#SKIP} instead
 * @param organizationId organization of the jobs or runs, or null for global ones; cannot change after the schedule is
 *     first saved
 * @param cron cron expression, or null for an interval schedule
 * @param interval time between fires in whole seconds, or null for a cron schedule
 * @param zone IANA time zone of the cron expression
 * @param maxJitter upper bound of the delay added to each fire, in whole seconds, at most a day
 * @param misfirePolicy handling of missed fires
 * @param misfireLimit maximum number of missed fires that {@link MisfirePolicy#ALL} runs
 * @param overlapPolicy handling of a fire while the previous job or run is live
 * @param version version of the declaration; raise it with every change, because an older version than the stored one
 *     changes nothing
 * @param active if false, the schedule is saved as paused
 * @param firstFireAt first fire before jitter, and start of the intervals; null for the next regular fire
 * @param headers of each job or run that the schedule starts; they replace those of the workflow with the same name
 */
public record ScheduleRequest(
        String name,
        @Nullable String jobType,
        Payload payload,
        @Nullable WorkflowRequest workflow,
        @Nullable UUID organizationId,
        @Nullable String cron,
        @Nullable Duration interval,
        ZoneId zone,
        Duration maxJitter,
        MisfirePolicy misfirePolicy,
        int misfireLimit,
        OverlapPolicy overlapPolicy,
        int version,
        boolean active,
        @Nullable Instant firstFireAt,
        Map<String, String> headers) {
    /** The maximum of {@code misfireLimit}. */
    public static final int MAX_MISFIRE_LIMIT = 1_000;

    private static final Duration LONGEST_JITTER = Duration.ofDays(1);
    private static final Instant EARLIEST = Instant.parse("1970-01-01T00:00:00Z");
    private static final Instant LATEST = Instant.parse("9999-12-31T23:59:59Z");

    /** @throws InvalidRequestException with the code of the first invalid value */
    public ScheduleRequest {
        Identifier.SCHEDULE_NAME.require(name);
        if (Text.isPadded(name)) {
            throw invalid(
                    ErrorCode.INVALID_SCHEDULE_NAME, "The schedule name starts or ends with white space: remove it.");
        }
        Objects.requireNonNull(payload, "payload");
        requireWork(jobType, workflow);
        workflow = workflow == null ? null : workflow.withOrganization(organizationId);
        Objects.requireNonNull(misfirePolicy, "misfirePolicy");
        Objects.requireNonNull(overlapPolicy, "overlapPolicy");
        requireRhythm(cron, interval);
        if (interval != null) {
            interval = Duration.ofSeconds(SettingRules.seconds(interval));
        }
        requireZone(zone.getId());
        if (maxJitter.isNegative() || maxJitter.compareTo(LONGEST_JITTER) > 0) {
            throw invalid(
                    ErrorCode.INVALID_JITTER, "maxJitter is " + maxJitter + ": it must be zero seconds to one day.");
        }
        maxJitter = Duration.ofSeconds(SettingRules.seconds(maxJitter));
        if (misfireLimit < 1 || misfireLimit > MAX_MISFIRE_LIMIT) {
            throw invalid(
                    ErrorCode.INVALID_ARGUMENT,
                    "misfireLimit is " + misfireLimit + ": it must be 1 to " + MAX_MISFIRE_LIMIT + ".");
        }
        if (version < 1) {
            throw invalid(ErrorCode.INVALID_ARGUMENT, "version is " + version + ": versions start at 1.");
        }
        if (firstFireAt != null && (firstFireAt.isBefore(EARLIEST) || firstFireAt.isAfter(LATEST))) {
            throw invalid(
                    ErrorCode.INVALID_ARGUMENT,
                    "firstFireAt is " + firstFireAt + ": it must be between the years 1970 and 9999.");
        }
        headers = Headers.requireValid(headers);
    }

    /** Starts a schedule that creates jobs. */
    public static <P> Builder builder(String name, JobType<P> type, P payload) {
        return builder(name, type.name(), Payload.of(payload, type.payloadType()));
    }

    /**
     * Starts a schedule that creates jobs of a type that is known only by name.
     *
     * @param payload {@link io.runledger.model.json.Json}, or an object that the codec encodes
     */
    public static Builder builder(String name, String jobType, @Nullable Object payload) {
        return new Builder(name, jobType, Payload.of(payload), null);
    }

    /**
     * Starts a schedule that starts workflow runs. They belong to the organization of the workflow unless the schedule
     * sets another one.
     */
    public static Builder builder(String name, WorkflowRequest workflow) {
        Builder builder = new Builder(name, null, Payload.empty(), workflow);
        builder.organizationId = workflow.organizationId();
        return builder;
    }

    private static void requireWork(@Nullable String jobType, @Nullable WorkflowRequest workflow) {
        if (workflow == null) {
            Identifier.JOB_TYPE.require(jobType);
            return;
        }
        if (jobType != null) {
            throw invalid(
                    ErrorCode.INVALID_SCHEDULED_WORKFLOW, "Both a job type and a workflow are set: use one of them.");
        }
        if (workflow.idempotencyKey() != null || workflow.activeKey() != null) {
            throw invalid(
                    ErrorCode.INVALID_SCHEDULED_WORKFLOW,
                    "The workflow has an idempotency key or an active key, which all fires would share: remove it, and use "
                            + "the overlap policy SKIP for one run at a time.");
        }
    }

    private static void requireRhythm(@Nullable String cron, @Nullable Duration interval) {
        if (cron != null && interval != null) {
            throw invalid(ErrorCode.INVALID_CRON, "Both a cron expression and an interval are set: use one of them.");
        }
        if (cron == null && interval == null) {
            throw invalid(ErrorCode.INVALID_CRON, "Neither a cron expression nor an interval is set: set one of them.");
        }
        if (cron != null && (Text.isBlank(cron) || Text.isPadded(cron))) {
            throw invalid(
                    ErrorCode.INVALID_CRON,
                    "The cron expression is blank, or starts or ends with white space: use for example '0 0 3 * * *'.");
        }
        if (interval != null) {
            SettingRules.refuse(ErrorCode.INVALID_INTERVAL, SettingRules.intervalProblem(interval));
        }
    }

    private static String requireZone(String zone) {
        if (!ZoneId.getAvailableZoneIds().contains(zone)) {
            throw invalid(
                    ErrorCode.INVALID_TIME_ZONE,
                    "The time zone " + Text.quoted(zone)
                            + " is not a known IANA name: use one such as 'Europe/Berlin' or 'UTC'.");
        }
        return zone;
    }

    private static InvalidRequestException invalid(ErrorCode code, String sentence) {
        return new InvalidRequestException(code, sentence);
    }

    /**
     * Builds a schedule. By default, it is active and global, uses UTC and no jitter, fires once for all misfires and
     * allows overlap.
     */
    public static final class Builder {
        private final String name;
        private final @Nullable String jobType;
        private final Payload payload;
        private final @Nullable WorkflowRequest workflow;
        private @Nullable UUID organizationId;
        private @Nullable String cron;
        private @Nullable Duration interval;
        private ZoneId zone = ZoneId.of("UTC");
        private Duration maxJitter = Duration.ZERO;
        private MisfirePolicy misfirePolicy = MisfirePolicy.ONE;
        private int misfireLimit = 1;
        private OverlapPolicy overlapPolicy = OverlapPolicy.ALLOW;
        private int version = 1;
        private boolean active = true;
        private @Nullable Instant firstFireAt;
        private final Map<String, String> headers = new LinkedHashMap<>();

        private Builder(String name, @Nullable String jobType, Payload payload, @Nullable WorkflowRequest workflow) {
            this.name = name;
            this.jobType = jobType;
            this.payload = payload;
            this.workflow = workflow;
        }

        /**
         * Fires by a cron expression: six fields from seconds to day of week with an optional year, five fields from
         * minutes to day of week, or a nickname such as {@code @hourly}.
         *
         * @param expression for example {@code 0 0 3 * * *}, {@code 0 3 * * 1-5} or {@code @daily}
         */
        public Builder cron(String expression) {
            this.cron = expression;
            return this;
        }

        /**
         * Fires at a fixed interval, counted from the first fire and independent of any time zone.
         *
         * @param interval one second or more, rounded up to whole seconds
         */
        public Builder every(Duration interval) {
            this.interval = interval;
            return this;
        }

        /**
         * Sets the time zone of the cron expression.
         *
         * @param zone a zone with an IANA name; the default is UTC
         */
        public Builder zone(ZoneId zone) {
            this.zone = zone;
            return this;
        }

        /**
         * Sets the time zone of the cron expression.
         *
         * @param zone an IANA name, for example {@code Europe/Berlin}
         * @throws InvalidRequestException with {@code job_schedule.invalid_time_zone} if the zone does not exist
         */
        public Builder zone(String zone) {
            return zone(ZoneId.of(requireZone(zone)));
        }

        /** Sets the organization of the jobs or runs. */
        public Builder organization(UUID organizationId) {
            this.organizationId = organizationId;
            return this;
        }

        /**
         * Delays each fire by up to {@code maxJitter}. The delay is the same for the same schedule and instant.
         *
         * @param maxJitter zero to one day, rounded up to whole seconds
         */
        public Builder jitter(Duration maxJitter) {
            this.maxJitter = maxJitter;
            return this;
        }

        /** Skips fires that were missed by more than a minute. */
        public Builder skipMisfires() {
            return misfires(MisfirePolicy.SKIP, 1);
        }

        /** Fires once for all missed fires; the default. */
        public Builder fireOnceForMisfires() {
            return misfires(MisfirePolicy.ONE, 1);
        }

        /**
         * Fires once for each missed fire, oldest first, up to the limit. The remaining missed fires are skipped.
         *
         * @param limit 1 to 1,000
         */
        public Builder fireAllMisfires(int limit) {
            return misfires(MisfirePolicy.ALL, limit);
        }

        /** Skips a fire while the previous job or run has not ended. */
        public Builder skipOverlaps() {
            return overlap(OverlapPolicy.SKIP);
        }

        /** Sets the handling of a fire while the previous job or run has not ended. */
        public Builder overlap(OverlapPolicy policy) {
            this.overlapPolicy = policy;
            return this;
        }

        /**
         * Sets the version of the declaration; the default is 1. Raise it with every change: a declaration with an
         * older version than the stored one changes nothing.
         *
         * @param version 1 or more
         */
        public Builder version(int version) {
            this.version = version;
            return this;
        }

        /** @param active if false, the schedule is saved as paused */
        public Builder active(boolean active) {
            this.active = active;
            return this;
        }

        /**
         * Sets the first fire, before jitter. An instant in the past is due immediately, and the misfire policy applies
         * to the missed fires.
         *
         * @param instant also the start of the intervals
         */
        public Builder firstFireAt(Instant instant) {
            this.firstFireAt = instant;
            return this;
        }

        /**
         * Adds a header, which each job or run that the schedule starts has.
         * Headers are not encrypted: they must not contain secrets.
         *
         * @param name 1 to 128 printable ASCII characters without spaces
         * @param value any text
         */
        public Builder header(String name, String value) {
            headers.put(name, value);
            return this;
        }

        /** Adds headers; see {@link #header}. */
        public Builder headers(Map<String, String> headers) {
            this.headers.putAll(headers);
            return this;
        }

        /** @throws InvalidRequestException with the code of the first invalid value */
        public ScheduleRequest build() {
            return new ScheduleRequest(
                    name,
                    jobType,
                    payload,
                    workflow,
                    organizationId,
                    cron,
                    interval,
                    zone,
                    maxJitter,
                    misfirePolicy,
                    misfireLimit,
                    overlapPolicy,
                    version,
                    active,
                    firstFireAt,
                    headers);
        }

        private Builder misfires(MisfirePolicy policy, int limit) {
            this.misfirePolicy = policy;
            this.misfireLimit = limit;
            return this;
        }
    }
}

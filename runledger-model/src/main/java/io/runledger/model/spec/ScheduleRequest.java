package io.runledger.model.spec;

import io.runledger.model.error.ErrorCode;
import io.runledger.model.error.InvalidRequestException;
import io.runledger.model.id.Identifier;
import io.runledger.model.id.Text;
import io.runledger.model.json.Payload;
import io.runledger.model.state.MisfirePolicy;
import io.runledger.model.state.OverlapPolicy;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.util.Objects;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A schedule to be saved: what makes jobs or starts workflow runs by the clock, either by a cron expression or by a fixed interval.
 * The expression itself is read when the schedule is saved.
 *
 * @param name unique among all schedules, across organizations; what the schedule is saved under
 * @param jobType type of the jobs it makes, or null when it starts workflows
 * @param payload what their handler gets; the fire's own facts are added as member {@code _schedule}
 * @param workflow the workflow it starts, or null when it makes jobs; the facts are added to its metadata and to every payload that is
 *     an object. Has no idempotency key, which each fire makes itself, and no active key: {@link OverlapPolicy#SKIP} is its like
 * @param organizationId tenant the jobs or runs belong to, or null for global ones; fixed when the schedule is first saved
 * @param cron cron expression, or null for an interval schedule
 * @param interval time between fires in whole seconds, or null for a cron schedule
 * @param zone IANA zone the cron expression is read in
 * @param maxJitter upper bound of the delay added to each fire, in whole seconds, at most a day
 * @param misfirePolicy what becomes of missed fires
 * @param misfireLimit how many missed fires {@link MisfirePolicy#ALL} makes up for
 * @param overlapPolicy what happens while the last job or run is live
 * @param version the declaring code's own version of the schedule; raise it with every change, for an older declaration changes nothing
 * @param active false saves it paused
 * @param firstFireAt the first fire before its jitter, and what an interval counts from; null leaves it to the rhythm
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
        @Nullable Instant firstFireAt) {
    /** The most missed fires a schedule can make up for at once. */
    public static final int MAX_MISFIRE_LIMIT = 1_000;

    private static final Duration LONGEST_JITTER = Duration.ofDays(1);
    private static final Instant EARLIEST = Instant.parse("1970-01-01T00:00:00Z");
    private static final Instant LATEST = Instant.parse("9999-12-31T23:59:59Z");

    /**
     * Checks every value but the grammar of the cron expression.
     *
     * @param name see the record
     * @param jobType see the record
     * @param payload see the record
     * @param workflow see the record
     * @param organizationId see the record
     * @param cron see the record
     * @param interval see the record
     * @param zone see the record
     * @param maxJitter see the record
     * @param misfirePolicy see the record
     * @param misfireLimit see the record
     * @param overlapPolicy see the record
     * @param version see the record
     * @param active see the record
     * @param firstFireAt see the record
     * @throws InvalidRequestException with the code of the first value that is not valid
     */
    public ScheduleRequest {
        Identifier.SCHEDULE_NAME.require(name);
        if (Text.isPadded(name)) {
            throw invalid(
                    ErrorCode.INVALID_SCHEDULE_NAME, "The schedule name has white space at an end: take it away.");
        }
        Objects.requireNonNull(payload, "payload");
        requireWork(jobType, workflow);
        workflow = workflow == null ? null : workflow.withOrganization(organizationId);
        Objects.requireNonNull(misfirePolicy, "misfirePolicy");
        Objects.requireNonNull(overlapPolicy, "overlapPolicy");
        requireRhythm(cron, interval);
        if (interval != null) {
            interval = Duration.ofSeconds(Setting.seconds(interval));
        }
        requireZone(zone.getId());
        if (maxJitter.isNegative() || maxJitter.compareTo(LONGEST_JITTER) > 0) {
            throw invalid(
                    ErrorCode.INVALID_JITTER, "maxJitter is " + maxJitter + ": it must be zero seconds to one day.");
        }
        maxJitter = Duration.ofSeconds(Setting.seconds(maxJitter));
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
                    "firstFireAt is " + firstFireAt + ": it must lie between the years 1970 and 9999.");
        }
    }

    /**
     * Starts a schedule of a declared type's jobs.
     *
     * @param name unique among all schedules, across organizations
     * @param type the declared type
     * @param payload what the handler gets
     * @param <P> the payload
     * @return a builder
     */
    public static <P> Builder builder(String name, JobType<P> type, P payload) {
        return builder(name, type.name(), Payload.of(payload, type.payloadType()));
    }

    /**
     * Starts a schedule of jobs whose type is known by name only.
     *
     * @param name unique among all schedules, across organizations
     * @param jobType name of the job type
     * @param payload what the handler gets: {@link io.runledger.model.json.Json}, or an object the codec encodes
     * @return a builder
     */
    public static Builder builder(String name, String jobType, @Nullable Object payload) {
        return new Builder(name, jobType, Payload.of(payload), null);
    }

    /**
     * Starts a schedule of workflow runs, which belong to the workflow's organization unless the schedule is given another.
     *
     * @param name unique among all schedules, across organizations
     * @param workflow what each fire starts
     * @return a builder
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
                    ErrorCode.INVALID_SCHEDULED_WORKFLOW,
                    "Both a job type and a workflow are given: give one of them.");
        }
        if (workflow.idempotencyKey() != null || workflow.activeKey() != null) {
            throw invalid(
                    ErrorCode.INVALID_SCHEDULED_WORKFLOW,
                    "The workflow has an idempotency key or an active key, which every fire would share: leave them out, and use "
                            + "overlap SKIP for one run at a time.");
        }
    }

    private static void requireRhythm(@Nullable String cron, @Nullable Duration interval) {
        if (cron != null && interval != null) {
            throw invalid(
                    ErrorCode.INVALID_CRON, "Both a cron expression and an interval are given: give one of them.");
        }
        if (cron == null && interval == null) {
            throw invalid(
                    ErrorCode.INVALID_CRON, "Neither a cron expression nor an interval is given: give one of them.");
        }
        if (cron != null && (Text.isBlank(cron) || Text.isPadded(cron))) {
            throw invalid(
                    ErrorCode.INVALID_CRON,
                    "The cron expression is blank or has white space at an end: write for example '0 0 3 * * *'.");
        }
        if (interval != null) {
            JobRequest.refuse(ErrorCode.INVALID_INTERVAL, Setting.intervalProblem(interval));
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

    /** Collects a schedule. Without more than a rhythm it is active, global, in UTC, without jitter; misfires: one, overlap: allowed. */
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

        private Builder(String name, @Nullable String jobType, Payload payload, @Nullable WorkflowRequest workflow) {
            this.name = name;
            this.jobType = jobType;
            this.payload = payload;
            this.workflow = workflow;
        }

        /**
         * Fires by a cron expression: six fields from seconds to day of week with an optional year, five fields from minutes to day of
         * week, or a nickname such as {@code @hourly}.
         *
         * @param expression for example {@code 0 0 3 * * *}, {@code 0 3 * * 1-5} or {@code @daily}
         * @return this builder
         */
        public Builder cron(String expression) {
            this.cron = expression;
            return this;
        }

        /**
         * Fires at a fixed interval, counted from the first fire and independent of any time zone.
         *
         * @param interval one second or more, rounded up to whole seconds
         * @return this builder
         */
        public Builder every(Duration interval) {
            this.interval = interval;
            return this;
        }

        /**
         * Sets the zone the cron expression is read in.
         *
         * @param zone a zone with an IANA name; UTC unless given
         * @return this builder
         */
        public Builder zone(ZoneId zone) {
            this.zone = zone;
            return this;
        }

        /**
         * Sets the zone the cron expression is read in.
         *
         * @param zone an IANA name, for example {@code Europe/Berlin}
         * @return this builder
         * @throws InvalidRequestException with {@code job_schedule.invalid_time_zone} when there is no such zone
         */
        public Builder zone(String zone) {
            return zone(ZoneId.of(requireZone(zone)));
        }

        /**
         * Gives the jobs or runs to an organization.
         *
         * @param organizationId the tenant
         * @return this builder
         */
        public Builder organization(UUID organizationId) {
            this.organizationId = organizationId;
            return this;
        }

        /**
         * Delays each fire by up to this much, always the same for the same schedule and instant.
         *
         * @param maxJitter zero to one day, rounded up to whole seconds
         * @return this builder
         */
        public Builder jitter(Duration maxJitter) {
            this.maxJitter = maxJitter;
            return this;
        }

        /**
         * Forgets fires that were missed by more than a minute.
         *
         * @return this builder
         */
        public Builder skipMisfires() {
            return misfires(MisfirePolicy.SKIP, 1);
        }

        /**
         * Fires once for all that were missed; the default.
         *
         * @return this builder
         */
        public Builder fireOnceForMisfires() {
            return misfires(MisfirePolicy.ONE, 1);
        }

        /**
         * Fires each that was missed, the oldest first, and forgets what is beyond the limit.
         *
         * @param limit how many at once, 1 to 1,000
         * @return this builder
         */
        public Builder fireAllMisfires(int limit) {
            return misfires(MisfirePolicy.ALL, limit);
        }

        /**
         * Sets what happens when a fire is due while the last fire's job or run has not ended.
         *
         * @param policy allow another one, or skip the fire
         * @return this builder
         */
        public Builder overlap(OverlapPolicy policy) {
            this.overlapPolicy = policy;
            return this;
        }

        /**
         * Sets the declaring code's own version; 1 unless given. Raise it with every change of the schedule: what is stored under a newer
         * version stays when an older build starts.
         *
         * @param version 1 or more
         * @return this builder
         */
        public Builder version(int version) {
            this.version = version;
            return this;
        }

        /**
         * Sets whether it fires.
         *
         * @param active false saves it paused
         * @return this builder
         */
        public Builder active(boolean active) {
            this.active = active;
            return this;
        }

        /**
         * Sets the first fire, before its jitter. One in the past is due at once, and the misfire policy decides about the rest.
         *
         * @param instant the first fire; an interval counts from it
         * @return this builder
         */
        public Builder firstFireAt(Instant instant) {
            this.firstFireAt = instant;
            return this;
        }

        /**
         * Checks and makes the request.
         *
         * @return the request
         * @throws InvalidRequestException with the code of the first value that is not valid
         */
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
                    firstFireAt);
        }

        private Builder misfires(MisfirePolicy policy, int limit) {
            this.misfirePolicy = policy;
            this.misfireLimit = limit;
            return this;
        }
    }
}

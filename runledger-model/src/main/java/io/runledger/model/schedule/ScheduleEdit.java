package io.runledger.model.schedule;

import io.runledger.model.error.InvalidRequestException;
import io.runledger.model.json.Json;
import io.runledger.model.json.Payload;
import java.time.Duration;
import java.time.ZoneId;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A change of a stored schedule by an operator. It names the schedule as the operator has read it: if the rule or the
 * payload was changed since, the edit is refused.
 *
 * @param basis the schedule as the operator has read it
 * @param cron cron expression, or null for an interval schedule
 * @param interval time between fires in whole seconds, or null for a cron schedule
 * @param timeZone IANA time zone of the cron expression
 * @param misfirePolicy handling of missed fires
 * @param misfireLimit maximum number of missed fires that {@link MisfirePolicy#ALL} runs
 * @param overlapPolicy handling of a fire while the previous job or run is live
 * @param payload new payload of the jobs, or null to keep it
 */
public record ScheduleEdit(
        Schedule basis,
        @Nullable String cron,
        @Nullable Duration interval,
        String timeZone,
        MisfirePolicy misfirePolicy,
        int misfireLimit,
        OverlapPolicy overlapPolicy,
        @Nullable Payload payload) {
    /** @throws InvalidRequestException with the code of the first invalid value */
    public ScheduleEdit {
        ScheduleRequest rule = rule(basis, cron, interval, timeZone, misfirePolicy, misfireLimit, overlapPolicy);
        interval = rule.interval();
        timeZone = rule.zone().getId();
    }

    /** Starts an edit that keeps everything. */
    public static Builder of(Schedule schedule) {
        return new Builder(schedule);
    }

    /**
     * The new rule as a request for a schedule of jobs without a payload, for {@code Schedules.preview}. Its name is that of
     * the schedule.
     */
    public ScheduleRequest rule() {
        return rule(basis, cron, interval, timeZone, misfirePolicy, misfireLimit, overlapPolicy);
    }

    private static ScheduleRequest rule(
            Schedule basis,
            @Nullable String cron,
            @Nullable Duration interval,
            String timeZone,
            MisfirePolicy misfirePolicy,
            int misfireLimit,
            OverlapPolicy overlapPolicy) {
        Objects.requireNonNull(basis, "basis");
        ScheduleRequest.Builder rule = ScheduleRequest.builder(basis.name(), "edited", Json.EMPTY_OBJECT)
                .jitter(basis.maxJitter())
                .overlap(overlapPolicy)
                .zone(timeZone);
        switch (misfirePolicy) {
            case SKIP -> rule.skipMisfires();
            case ONE -> rule.fireOnceForMisfires();
            case ALL -> rule.fireAllMisfires(misfireLimit);
        }
        if (cron != null) {
            rule.cron(cron);
        }
        if (interval != null) {
            rule.every(interval);
        }
        return rule.build();
    }

    /** Builds an edit. What is not set stays as it is. */
    public static final class Builder {
        private final Schedule basis;
        private @Nullable String cron;
        private @Nullable Duration interval;
        private String timeZone;
        private MisfirePolicy misfirePolicy;
        private int misfireLimit;
        private OverlapPolicy overlapPolicy;
        private @Nullable Payload payload;

        private Builder(Schedule basis) {
            this.basis = basis;
            this.cron = basis.cron();
            this.interval = basis.interval();
            this.timeZone = basis.timeZone();
            this.misfirePolicy = basis.misfirePolicy();
            this.misfireLimit = basis.misfireLimit();
            this.overlapPolicy = basis.overlapPolicy();
        }

        /** Fires by a cron expression, instead of at an interval. */
        public Builder cron(String expression) {
            this.cron = expression;
            this.interval = null;
            return this;
        }

        /** Fires at an interval that is counted from the edit, instead of by a cron expression. */
        public Builder every(Duration interval) {
            this.interval = interval;
            this.cron = null;
            return this;
        }

        /** Sets the time zone of the cron expression. */
        public Builder zone(ZoneId zone) {
            return zone(zone.getId());
        }

        /**
         * Sets the time zone of the cron expression.
         *
         * @param zone an IANA name, for example {@code Europe/Berlin}
         */
        public Builder zone(String zone) {
            this.timeZone = zone;
            return this;
        }

        /** Skips fires that were missed by more than a minute. */
        public Builder skipMisfires() {
            return misfires(MisfirePolicy.SKIP, 1);
        }

        /** Fires once for all missed fires. */
        public Builder fireOnceForMisfires() {
            return misfires(MisfirePolicy.ONE, 1);
        }

        /**
         * Fires once for each missed fire, oldest first, up to the limit.
         *
         * @param limit 1 to 1,000
         */
        public Builder fireAllMisfires(int limit) {
            return misfires(MisfirePolicy.ALL, limit);
        }

        /** Sets the handling of a fire while the previous job or run has not ended. */
        public Builder overlap(OverlapPolicy policy) {
            this.overlapPolicy = policy;
            return this;
        }

        /**
         * Sets the payload of the jobs. A schedule that starts workflows has none.
         *
         * @param payload {@link Json}, or an object that the codec encodes
         */
        public Builder payload(@Nullable Object payload) {
            this.payload = Payload.of(payload);
            return this;
        }

        /** @throws InvalidRequestException with the code of the first invalid value */
        public ScheduleEdit build() {
            return new ScheduleEdit(
                    basis, cron, interval, timeZone, misfirePolicy, misfireLimit, overlapPolicy, payload);
        }

        private Builder misfires(MisfirePolicy policy, int limit) {
            this.misfirePolicy = policy;
            this.misfireLimit = limit;
            return this;
        }
    }
}

package io.runledger.model.operator;

import io.runledger.model.error.InvalidRequestException;
import io.runledger.model.job.JobQuery;
import java.time.Instant;
import java.util.Arrays;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A query for actions of operators, newest first. Conditions that are empty or null are ignored. The scope of the call
 * selects the organization.
 *
 * @param kinds empty for any kind
 * @param target null for any target. For a job, also the actions on many jobs that changed it. For a run, also the
 *     actions on its steps, unless the target names a step
 * @param startedSince earliest start, inclusive
 * @param startedBefore latest start, exclusive
 * @param unfinished whether only actions without an end are wanted
 * @param limit page size, 1 to 1,000
 * @param cursor {@code next} of the previous page, or null for the first page
 */
public record AuditQuery(
        @Nullable String actor,
        Set<OperatorActionKind> kinds,
        @Nullable OperatorTarget target,
        @Nullable Instant startedSince,
        @Nullable Instant startedBefore,
        boolean unfinished,
        int limit,
        @Nullable String cursor) {
    /** @throws InvalidRequestException with {@code job.invalid_pagination} if the limit is out of range */
    public AuditQuery {
        kinds = Set.copyOf(kinds);
        JobQuery.requireLimit(limit);
    }

    /** All actions of the scope, 100 per page. */
    public static AuditQuery all() {
        return builder().build();
    }

    /** The actions that changed a job, 100 per page. */
    public static AuditQuery ofJob(UUID id) {
        return builder().target(OperatorTarget.job(id)).build();
    }

    /** The actions on a run and on its steps, 100 per page. */
    public static AuditQuery ofRun(UUID id) {
        return builder().target(OperatorTarget.run(id)).build();
    }

    public static Builder builder() {
        return new Builder();
    }

    /** Returns the query for the next page; the cursor is the {@code next} of the current page. */
    public AuditQuery after(@Nullable String cursor) {
        return new AuditQuery(actor, kinds, target, startedSince, startedBefore, unfinished, limit, cursor);
    }

    public static final class Builder {
        private @Nullable String actor;
        private Set<OperatorActionKind> kinds = Set.of();
        private @Nullable OperatorTarget target;
        private @Nullable Instant startedSince;
        private @Nullable Instant startedBefore;
        private boolean unfinished;
        private int limit = JobQuery.DEFAULT_LIMIT;
        private @Nullable String cursor;

        private Builder() {}

        /** Selects the actions of one operator. */
        public Builder actor(String actor) {
            this.actor = Objects.requireNonNull(actor, "actor");
            return this;
        }

        /** Selects actions of these kinds. */
        public Builder kinds(OperatorActionKind... kinds) {
            this.kinds = Set.copyOf(Arrays.asList(kinds));
            return this;
        }

        /** Selects the actions on one target. */
        public Builder target(OperatorTarget target) {
            this.target = Objects.requireNonNull(target, "target");
            return this;
        }

        /** Selects the actions that changed a job, also together with others. */
        public Builder job(UUID id) {
            return target(OperatorTarget.job(id));
        }

        /** Selects the actions on a run and on its steps. */
        public Builder run(UUID id) {
            return target(OperatorTarget.run(id));
        }

        /**
         * Selects actions that started at this instant or later.
         *
         * @param instant compared with the database's clock
         */
        public Builder startedSince(Instant instant) {
            this.startedSince = instant;
            return this;
        }

        /**
         * Selects actions that started before this instant.
         *
         * @param instant compared with the database's clock
         */
        public Builder startedBefore(Instant instant) {
            this.startedBefore = instant;
            return this;
        }

        /** Selects actions without an end: those that run, and those whose process ended before them. */
        public Builder unfinished() {
            this.unfinished = true;
            return this;
        }

        /** @param limit 1 to 1,000 */
        public Builder limit(int limit) {
            this.limit = limit;
            return this;
        }

        /** Starts after an earlier page; the cursor is that page's {@code next}. */
        public Builder after(@Nullable String cursor) {
            this.cursor = cursor;
            return this;
        }

        /** @throws InvalidRequestException with the code of the first invalid value */
        public AuditQuery build() {
            return new AuditQuery(actor, kinds, target, startedSince, startedBefore, unfinished, limit, cursor);
        }
    }
}

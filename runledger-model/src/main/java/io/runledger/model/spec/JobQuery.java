package io.runledger.model.spec;

import io.runledger.model.error.ErrorCode;
import io.runledger.model.error.InvalidRequestException;
import io.runledger.model.id.Identifier;
import io.runledger.model.json.Json;
import io.runledger.model.state.JobStatus;
import java.time.Instant;
import java.util.Arrays;
import java.util.Collection;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Which jobs to list, newest first. What is empty or null does not narrow the list; whose jobs they are is said by the scope
 * of the call.
 *
 * @param statuses where the jobs may stand; empty for anywhere
 * @param jobTypes exact names of their types, without wildcards; empty for any
 * @param payload JSON their payload must contain, for example {@code {"customer":42}}. No index helps: jobs are read one after
 *     the other until the page is full, so narrow the list by other means as well
 * @param createdSince created at this instant or later
 * @param createdBefore created before this instant
 * @param limit how many at most, 1 to 1,000
 * @param cursor where an earlier page ended, or null for the first page
 */
public record JobQuery(
        Set<JobStatus> statuses,
        Set<String> jobTypes,
        @Nullable Json payload,
        @Nullable Instant createdSince,
        @Nullable Instant createdBefore,
        int limit,
        @Nullable String cursor) {
    /** The most jobs on a page. */
    public static final int MAX_LIMIT = 1_000;

    /** How many jobs are on a page unless said otherwise. */
    public static final int DEFAULT_LIMIT = 100;

    /**
     * Checks every value.
     *
     * @param statuses see the record
     * @param jobTypes see the record
     * @param payload see the record
     * @param createdSince see the record
     * @param createdBefore see the record
     * @param limit see the record
     * @param cursor see the record
     * @throws InvalidRequestException with {@code job.invalid_pagination} for the limit, {@code job.invalid_job_type} for a type
     *     that cannot exist
     */
    public JobQuery {
        statuses = Set.copyOf(statuses);
        jobTypes = Set.copyOf(jobTypes);
        jobTypes.forEach(Identifier.JOB_TYPE::require);
        requireLimit(limit);
    }

    /**
     * Every job of the scope.
     *
     * @return the query that narrows nothing, 100 jobs a page
     */
    public static JobQuery all() {
        return builder().build();
    }

    /**
     * Starts a query.
     *
     * @return a builder
     */
    public static Builder builder() {
        return new Builder();
    }

    /**
     * The same query, continued.
     *
     * @param cursor what the page before gave as its {@code next}
     * @return the query for the next page
     */
    public JobQuery after(@Nullable String cursor) {
        return new JobQuery(statuses, jobTypes, payload, createdSince, createdBefore, limit, cursor);
    }

    /**
     * Checks the size of a page.
     *
     * @param limit how many at most
     * @throws InvalidRequestException with {@code job.invalid_pagination} unless it lies between 1 and 1,000
     */
    public static void requireLimit(int limit) {
        if (limit < 1 || limit > MAX_LIMIT) {
            throw new InvalidRequestException(
                    ErrorCode.INVALID_PAGINATION,
                    "limit is " + limit + ": a page holds 1 to " + MAX_LIMIT + "; read further pages with its cursor.");
        }
    }

    /** Collects a query. */
    public static final class Builder {
        private Set<JobStatus> statuses = Set.of();
        private Set<String> jobTypes = Set.of();
        private @Nullable Json payload;
        private @Nullable Instant createdSince;
        private @Nullable Instant createdBefore;
        private int limit = DEFAULT_LIMIT;
        private @Nullable String cursor;

        private Builder() {}

        /**
         * Only jobs that stand at one of these.
         *
         * @param statuses where they may stand
         * @return this builder
         */
        public Builder statuses(JobStatus... statuses) {
            this.statuses = Set.copyOf(Arrays.asList(statuses));
            return this;
        }

        /**
         * Only jobs of these types.
         *
         * @param types the declared types
         * @return this builder
         */
        public Builder types(JobType<?>... types) {
            return jobTypes(Stream.of(types).map(JobType::name).collect(Collectors.toSet()));
        }

        /**
         * Only jobs of types with these names.
         *
         * @param names exact names, without wildcards
         * @return this builder
         */
        public Builder jobTypes(Collection<String> names) {
            this.jobTypes = Set.copyOf(names);
            return this;
        }

        /**
         * Only jobs whose payload contains this JSON, as {@code jsonb}'s containment has it.
         *
         * @param payload members that must be there, with these values
         * @return this builder
         */
        public Builder payloadContaining(Json payload) {
            this.payload = payload;
            return this;
        }

        /**
         * Only jobs created at this instant or later.
         *
         * @param instant by the database's clock
         * @return this builder
         */
        public Builder createdSince(Instant instant) {
            this.createdSince = instant;
            return this;
        }

        /**
         * Only jobs created before this instant.
         *
         * @param instant by the database's clock
         * @return this builder
         */
        public Builder createdBefore(Instant instant) {
            this.createdBefore = instant;
            return this;
        }

        /**
         * Sets the size of a page.
         *
         * @param limit 1 to 1,000
         * @return this builder
         */
        public Builder limit(int limit) {
            this.limit = limit;
            return this;
        }

        /**
         * Continues an earlier page.
         *
         * @param cursor what it gave as its {@code next}
         * @return this builder
         */
        public Builder after(@Nullable String cursor) {
            this.cursor = cursor;
            return this;
        }

        /**
         * Checks and makes the query.
         *
         * @return the query
         * @throws InvalidRequestException with the code of the first value that is not valid
         */
        public JobQuery build() {
            return new JobQuery(statuses, jobTypes, payload, createdSince, createdBefore, limit, cursor);
        }
    }
}

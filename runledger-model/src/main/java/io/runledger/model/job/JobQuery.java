package io.runledger.model.job;

import io.runledger.model.error.ErrorCode;
import io.runledger.model.error.InvalidRequestException;
import io.runledger.model.flow.FlowName;
import io.runledger.model.json.Json;
import io.runledger.model.value.Identifier;
import java.time.Instant;
import java.util.Arrays;
import java.util.Collection;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A query for jobs, newest first unless {@code order} says otherwise. Conditions that are empty or null are ignored. The scope of the call selects the
 * organization.
 *
 * @param statuses empty for any status
 * @param jobTypes exact names of job types, without wildcards; empty for any
 * @param payload JSON that the payload must contain, for example {@code {"customer":42}}. This condition uses no index:
 *     jobs are read one by one until the page is full, so combine it with other conditions
 * @param errorCode code of the last failure; null for any
 * @param idempotencyKey the exact idempotency key; null for any. A key is unique per job type and organization
 * @param queue exact name of a queue; null for any. Jobs of the default queue have none. Waiting and running jobs of a queue
 *     have an index, others do not: without such a status, jobs are read one by one until the page is full
 * @param createdSince earliest creation time, inclusive
 * @param createdBefore latest creation time, exclusive
 * @param order order of the pages. A cursor belongs to one order
 * @param maxRead how many jobs of each status a page may read, those that do not match included; null for no limit. A
 *     page that ends there has fewer jobs than {@code limit}, perhaps none, and a {@code next} to go on from
 * @param limit page size, 1 to 1,000
 * @param cursor {@code next} of the previous page, or null for the first page
 */
public record JobQuery(
        Set<JobStatus> statuses,
        Set<String> jobTypes,
        @Nullable Json payload,
        @Nullable String errorCode,
        @Nullable String idempotencyKey,
        @Nullable String queue,
        @Nullable Instant createdSince,
        @Nullable Instant createdBefore,
        Order order,
        @Nullable Integer maxRead,
        int limit,
        @Nullable String cursor) {
    /** The order of a list of jobs. */
    public enum Order {
        /** By id, the newest first. */
        NEWEST,

        /**
         * Waiting jobs as workers take them: the highest priority first, then the earliest due time. Jobs that are not
         * due yet and those of paused runs have their places too. Only for queries with the one status {@link
         * JobStatus#PENDING} and with at least one job type, and without an error code and an idempotency key: the ledger
         * has an index in this order, so a page costs the same however many jobs wait.
         */
        CLAIM
    }

    /** The maximum page size. */
    public static final int MAX_LIMIT = 1_000;

    /** The default page size. */
    public static final int DEFAULT_LIMIT = 100;

    /**
     * @throws InvalidRequestException with {@code job.invalid_pagination} if the limit is out of range, or with
     *     {@code job.invalid_job_type} or {@code flow.invalid_name} if a type or the queue is not valid, with {@code json.invalid} if the payload is nested deeper
     *     than {@link Json#MAX_DEPTH} levels, and with {@code request.invalid} if the order does not fit the conditions
     */
    public JobQuery {
        statuses = Set.copyOf(statuses);
        jobTypes = Set.copyOf(jobTypes);
        jobTypes.forEach(Identifier.JOB_TYPE::require);
        if (queue != null) {
            FlowName.QUEUE.require(queue);
        }
        Objects.requireNonNull(order, "order");
        requireLimit(limit);
        requireMaxRead(maxRead, limit);
        if (payload != null) {
            payload.requireStorable();
        }
        if (order == Order.CLAIM
                && (!statuses.equals(Set.of(JobStatus.PENDING))
                        || jobTypes.isEmpty()
                        || errorCode != null
                        || idempotencyKey != null)) {
            throw new InvalidRequestException(
                    ErrorCode.INVALID_ARGUMENT,
                    "The order of claims is that of waiting jobs of given types: select the status PENDING and at least"
                            + " one job type, and no error code and no idempotency key.");
        }
    }

    private static void requireMaxRead(@Nullable Integer maxRead, int limit) {
        if (maxRead != null && maxRead < limit) {
            throw new InvalidRequestException(
                    ErrorCode.INVALID_PAGINATION,
                    "maxRead is " + maxRead + ": use at least the limit, " + limit
                            + ", or null to read on until the page is" + " full.");
        }
    }

    /** All jobs of the scope, 100 per page. */
    public static JobQuery all() {
        return builder().build();
    }

    public static Builder builder() {
        return new Builder();
    }

    /** Returns the query for the next page; the cursor is the {@code next} of the current page. */
    public JobQuery after(@Nullable String cursor) {
        return new JobQuery(
                statuses,
                jobTypes,
                payload,
                errorCode,
                idempotencyKey,
                queue,
                createdSince,
                createdBefore,
                order,
                maxRead,
                limit,
                cursor);
    }

    /**
     * Checks a page size.
     *
     * @throws InvalidRequestException with {@code job.invalid_pagination} unless it is between 1 and 1,000
     */
    public static void requireLimit(int limit) {
        if (limit < 1 || limit > MAX_LIMIT) {
            throw new InvalidRequestException(
                    ErrorCode.INVALID_PAGINATION,
                    "limit is " + limit + ": use 1 to " + MAX_LIMIT + ", and read further pages with the cursor.");
        }
    }

    public static final class Builder {
        private Set<JobStatus> statuses = Set.of();
        private Set<String> jobTypes = Set.of();
        private @Nullable Json payload;
        private @Nullable String errorCode;
        private @Nullable String idempotencyKey;
        private @Nullable String queue;
        private @Nullable Instant createdSince;
        private @Nullable Instant createdBefore;
        private Order order = Order.NEWEST;
        private @Nullable Integer maxRead;
        private int limit = DEFAULT_LIMIT;
        private @Nullable String cursor;

        private Builder() {}

        /** Selects jobs with one of these statuses. */
        public Builder statuses(JobStatus... statuses) {
            this.statuses = Set.copyOf(Arrays.asList(statuses));
            return this;
        }

        /** Selects jobs of these types. */
        public Builder types(JobType<?>... types) {
            return jobTypes(Stream.of(types).map(JobType::name).collect(Collectors.toSet()));
        }

        /**
         * Selects jobs of these types.
         *
         * @param names exact names; wildcards are not supported
         */
        public Builder jobTypes(Collection<String> names) {
            this.jobTypes = Set.copyOf(names);
            return this;
        }

        /** Selects jobs whose payload contains this JSON, as defined by the {@code jsonb} operator {@code @>}. */
        public Builder payloadContaining(Json payload) {
            this.payload = payload;
            return this;
        }

        /**
         * Selects jobs whose last failure has this code. Succeeded jobs have none.
         *
         * @param code the exact code, of a handler or of the library
         */
        public Builder errorCode(@Nullable String code) {
            this.errorCode = code;
            return this;
        }

        /**
         * Selects the jobs that were enqueued with this key: at most one per job type and organization.
         *
         * @param key the exact key
         */
        public Builder idempotencyKey(@Nullable String key) {
            this.idempotencyKey = key;
            return this;
        }

        /**
         * Selects jobs of a queue.
         *
         * @param name the exact name
         */
        public Builder queue(@Nullable String name) {
            this.queue = name;
            return this;
        }

        /**
         * Selects jobs created at this instant or later.
         *
         * @param instant compared with the database's clock
         */
        public Builder createdSince(Instant instant) {
            this.createdSince = instant;
            return this;
        }

        /**
         * Selects jobs created before this instant.
         *
         * @param instant compared with the database's clock
         */
        public Builder createdBefore(Instant instant) {
            this.createdBefore = instant;
            return this;
        }

        /**
         * Lists in this order.
         *
         * @param order {@link Order#CLAIM} only for waiting jobs of given types
         */
        public Builder order(Order order) {
            this.order = order;
            return this;
        }

        /**
         * Ends a page after this many jobs of each status, those that do not match included. Pages then cost the same
         * whatever the ledger holds: such a page may have fewer jobs than the limit, perhaps none, and still a next page.
         *
         * @param jobs at least the limit; null to read on until the page is full
         */
        public Builder maxRead(@Nullable Integer jobs) {
            this.maxRead = jobs;
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
        public JobQuery build() {
            return new JobQuery(
                    statuses,
                    jobTypes,
                    payload,
                    errorCode,
                    idempotencyKey,
                    queue,
                    createdSince,
                    createdBefore,
                    order,
                    maxRead,
                    limit,
                    cursor);
        }
    }
}

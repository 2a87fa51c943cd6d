package io.runledger.model.spec;

import io.runledger.model.error.InvalidRequestException;
import io.runledger.model.id.Identifier;
import io.runledger.model.json.Json;
import io.runledger.model.state.WorkflowRunStatus;
import java.time.Instant;
import java.util.Arrays;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Which runs to list, newest first. What is empty or null does not narrow the list; whose runs they are is said by the scope of
 * the call.
 *
 * @param statuses where the runs may stand; empty for anywhere
 * @param paused only runs that are paused, or only runs that are not; null for either
 * @param workflowTypes exact names of their types, without wildcards; empty for any
 * @param typePrefix what the name of their type must begin with, taken literally; null for any
 * @param metadata JSON their metadata must contain, for example {@code {"customer":42}}. No index helps: runs are read one after
 *     the other until the page is full, so narrow the list by other means as well
 * @param createdSince created at this instant or later
 * @param createdBefore created before this instant
 * @param limit how many at most, 1 to 1,000
 * @param cursor where an earlier page ended, or null for the first page
 */
public record WorkflowQuery(
        Set<WorkflowRunStatus> statuses,
        @Nullable Boolean paused,
        Set<String> workflowTypes,
        @Nullable String typePrefix,
        @Nullable Json metadata,
        @Nullable Instant createdSince,
        @Nullable Instant createdBefore,
        int limit,
        @Nullable String cursor) {
    /** The most runs on a page. */
    public static final int MAX_LIMIT = JobQuery.MAX_LIMIT;

    /** How many runs are on a page unless said otherwise. */
    public static final int DEFAULT_LIMIT = JobQuery.DEFAULT_LIMIT;

    /**
     * Checks every value.
     *
     * @param statuses see the record
     * @param paused see the record
     * @param workflowTypes see the record
     * @param typePrefix see the record
     * @param metadata see the record
     * @param createdSince see the record
     * @param createdBefore see the record
     * @param limit see the record
     * @param cursor see the record
     * @throws InvalidRequestException with {@code job.invalid_pagination} for the limit,
     *     {@code workflow.invalid_dag_workflow_type_blank} for a type or prefix that cannot exist
     */
    public WorkflowQuery {
        statuses = Set.copyOf(statuses);
        workflowTypes = Set.copyOf(workflowTypes);
        workflowTypes.forEach(Identifier.WORKFLOW_TYPE::require);
        if (typePrefix != null) {
            Identifier.WORKFLOW_TYPE.require(typePrefix);
        }
        JobQuery.requireLimit(limit);
    }

    /**
     * Every run of the scope.
     *
     * @return the query that narrows nothing, 100 runs a page
     */
    public static WorkflowQuery all() {
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
    public WorkflowQuery after(@Nullable String cursor) {
        return new WorkflowQuery(
                statuses, paused, workflowTypes, typePrefix, metadata, createdSince, createdBefore, limit, cursor);
    }

    /** Collects a query. */
    public static final class Builder {
        private Set<WorkflowRunStatus> statuses = Set.of();
        private @Nullable Boolean paused;
        private Set<String> workflowTypes = Set.of();
        private @Nullable String typePrefix;
        private @Nullable Json metadata;
        private @Nullable Instant createdSince;
        private @Nullable Instant createdBefore;
        private int limit = DEFAULT_LIMIT;
        private @Nullable String cursor;

        private Builder() {}

        /**
         * Only runs that stand at one of these.
         *
         * @param statuses where they may stand
         * @return this builder
         */
        public Builder statuses(WorkflowRunStatus... statuses) {
            this.statuses = Set.copyOf(Arrays.asList(statuses));
            return this;
        }

        /**
         * Only runs that are paused, or only runs that are not. A paused run stands where its steps stand, so it has a status
         * as well.
         *
         * @param paused whether they are
         * @return this builder
         */
        public Builder paused(boolean paused) {
            this.paused = paused;
            return this;
        }

        /**
         * Only runs of these types.
         *
         * @param names exact names, without wildcards
         * @return this builder
         */
        public Builder workflowTypes(String... names) {
            this.workflowTypes = Set.copyOf(Arrays.asList(names));
            return this;
        }

        /**
         * Only runs of types whose name begins so.
         *
         * @param prefix taken literally; case counts
         * @return this builder
         */
        public Builder typePrefix(String prefix) {
            this.typePrefix = prefix;
            return this;
        }

        /**
         * Only runs whose metadata contains this JSON, as {@code jsonb}'s containment has it.
         *
         * @param metadata members that must be there, with these values
         * @return this builder
         */
        public Builder metadataContaining(Json metadata) {
            this.metadata = metadata;
            return this;
        }

        /**
         * Only runs created at this instant or later.
         *
         * @param instant by the database's clock
         * @return this builder
         */
        public Builder createdSince(Instant instant) {
            this.createdSince = instant;
            return this;
        }

        /**
         * Only runs created before this instant.
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
        public WorkflowQuery build() {
            return new WorkflowQuery(
                    statuses, paused, workflowTypes, typePrefix, metadata, createdSince, createdBefore, limit, cursor);
        }
    }
}

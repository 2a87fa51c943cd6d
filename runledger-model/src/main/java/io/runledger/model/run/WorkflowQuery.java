package io.runledger.model.run;

import io.runledger.model.error.InvalidRequestException;
import io.runledger.model.job.JobQuery;
import io.runledger.model.json.Json;
import io.runledger.model.value.Identifier;
import io.runledger.model.workflow.WorkflowRunStatus;
import java.time.Instant;
import java.util.Arrays;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A query for runs, newest first. Conditions that are empty or null are ignored. The scope of the call selects the
 * organization.
 *
 * @param statuses empty for any status
 * @param paused whether to select paused runs or runs that are not paused; null for both
 * @param workflowTypes exact names of workflow types, without wildcards; empty for any
 * @param typePrefix literal prefix of the workflow type; null for any
 * @param metadata JSON that the metadata must contain, for example {@code {"customer":42}}. This condition uses no
 *     index: runs are read one by one until the page is full, so combine it with other conditions
 * @param createdSince earliest creation time, inclusive
 * @param createdBefore latest creation time, exclusive
 * @param limit page size, 1 to 1,000
 * @param cursor {@code next} of the previous page, or null for the first page
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
    /** The maximum page size. */
    public static final int MAX_LIMIT = JobQuery.MAX_LIMIT;

    /** The default page size. */
    public static final int DEFAULT_LIMIT = JobQuery.DEFAULT_LIMIT;

    /**
     * @throws InvalidRequestException with {@code job.invalid_pagination} if the limit is out of range, with
     *     {@code workflow.invalid_dag_workflow_type_blank} if a type or prefix is not valid, or with {@code json.invalid}
     *     if the metadata is nested deeper than {@link Json#MAX_DEPTH} levels
     */
    public WorkflowQuery {
        statuses = Set.copyOf(statuses);
        workflowTypes = Set.copyOf(workflowTypes);
        workflowTypes.forEach(Identifier.WORKFLOW_TYPE::require);
        if (typePrefix != null) {
            Identifier.WORKFLOW_TYPE.require(typePrefix);
        }
        JobQuery.requireLimit(limit);
        if (metadata != null) {
            metadata.requireStorable();
        }
    }

    /** All runs of the scope, 100 per page. */
    public static WorkflowQuery all() {
        return builder().build();
    }

    public static Builder builder() {
        return new Builder();
    }

    /** Returns the query for the next page; the cursor is the {@code next} of the current page. */
    public WorkflowQuery after(@Nullable String cursor) {
        return new WorkflowQuery(
                statuses, paused, workflowTypes, typePrefix, metadata, createdSince, createdBefore, limit, cursor);
    }

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

        /** Selects runs with one of these statuses. */
        public Builder statuses(WorkflowRunStatus... statuses) {
            this.statuses = Set.copyOf(Arrays.asList(statuses));
            return this;
        }

        /** Selects only paused runs, or only runs that are not paused. A paused run also has a status. */
        public Builder paused(boolean paused) {
            this.paused = paused;
            return this;
        }

        /**
         * Selects runs of these types.
         *
         * @param names exact names; wildcards are not supported
         */
        public Builder workflowTypes(String... names) {
            this.workflowTypes = Set.copyOf(Arrays.asList(names));
            return this;
        }

        /**
         * Selects runs whose workflow type starts with the prefix.
         *
         * @param prefix literal and case-sensitive
         */
        public Builder typePrefix(String prefix) {
            this.typePrefix = prefix;
            return this;
        }

        /** Selects runs whose metadata contains this JSON, as defined by the {@code jsonb} operator {@code @>}. */
        public Builder metadataContaining(Json metadata) {
            this.metadata = metadata;
            return this;
        }

        /**
         * Selects runs created at this instant or later.
         *
         * @param instant compared with the database's clock
         */
        public Builder createdSince(Instant instant) {
            this.createdSince = instant;
            return this;
        }

        /**
         * Selects runs created before this instant.
         *
         * @param instant compared with the database's clock
         */
        public Builder createdBefore(Instant instant) {
            this.createdBefore = instant;
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
        public WorkflowQuery build() {
            return new WorkflowQuery(
                    statuses, paused, workflowTypes, typePrefix, metadata, createdSince, createdBefore, limit, cursor);
        }
    }
}

package io.runledger.model.spec;

import io.runledger.model.error.InvalidWorkflowException;
import io.runledger.model.error.WorkflowProblem;
import io.runledger.model.id.Text;
import io.runledger.model.json.Payload;
import java.util.List;
import java.util.Objects;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A workflow to be started: what happens, for whom, and under which keys. An instance is always valid: no cycle, no dangling
 * dependency, every name and number within its rules.
 *
 * @param type name of the workflow
 * @param metadata what the caller wants kept with the run
 * @param organizationId tenant the run belongs to, or null for a global run
 * @param idempotencyKey makes the start repeatable: unique per workflow type and organization, for ever
 * @param activeKey at most one live run of the organization holds it
 * @param resultStep key of the step whose output becomes the run's result
 * @param steps at least one, in the order declared
 */
public record WorkflowRequest(
        String type,
        Payload metadata,
        @Nullable UUID organizationId,
        @Nullable String idempotencyKey,
        @Nullable String activeKey,
        @Nullable String resultStep,
        List<StepRequest> steps) {
    /**
     * Checks everything.
     *
     * @param type see the record
     * @param metadata see the record
     * @param organizationId see the record
     * @param idempotencyKey see the record
     * @param activeKey see the record
     * @param resultStep see the record
     * @param steps see the record
     * @throws InvalidWorkflowException with every problem at once
     */
    public WorkflowRequest {
        Objects.requireNonNull(type, "type");
        Objects.requireNonNull(metadata, "metadata");
        steps = List.copyOf(steps);
        List<WorkflowProblem> problems = WorkflowCheck.problems(type, idempotencyKey, activeKey, resultStep, steps);
        if (!problems.isEmpty()) {
            throw new InvalidWorkflowException("workflow " + Text.quoted(type), problems);
        }
    }

    /**
     * Starts a workflow.
     *
     * @param type name of the workflow
     * @return a builder
     */
    public static Builder builder(String type) {
        return new Builder(type);
    }

    /**
     * The same workflow for another organization.
     *
     * @param organizationId the tenant, or null for a global run
     * @return a copy
     */
    public WorkflowRequest withOrganization(@Nullable UUID organizationId) {
        return new WorkflowRequest(type, metadata, organizationId, idempotencyKey, activeKey, resultStep, steps);
    }

    /**
     * The same workflow under another idempotency key.
     *
     * @param idempotencyKey the key, or null for none
     * @return a copy
     */
    public WorkflowRequest withIdempotencyKey(@Nullable String idempotencyKey) {
        return new WorkflowRequest(type, metadata, organizationId, idempotencyKey, activeKey, resultStep, steps);
    }

    /** Collects a workflow. A step can only wait for what was declared before it, so a circle cannot be said. */
    public static final class Builder extends StepsBuilder {
        private final String type;
        private Payload metadata = Payload.empty();
        private @Nullable UUID organizationId;
        private @Nullable String idempotencyKey;
        private @Nullable String activeKey;
        private @Nullable String resultStep;

        private Builder(String type) {
            this.type = type;
        }

        /**
         * Sets what is kept with the run.
         *
         * @param metadata {@link io.runledger.model.json.Json}, or an object the codec encodes
         * @return this builder
         */
        public Builder metadata(@Nullable Object metadata) {
            this.metadata = Payload.of(metadata);
            return this;
        }

        /**
         * Gives the run to an organization; steps inherit it.
         *
         * @param organizationId the tenant
         * @return this builder
         */
        public Builder organization(UUID organizationId) {
            this.organizationId = organizationId;
            return this;
        }

        /**
         * Makes the start repeatable: the same key with the same workflow gives the existing run, with another workflow a
         * conflict.
         *
         * @param idempotencyKey unique per workflow type and organization, for ever
         * @return this builder
         */
        public Builder idempotencyKey(String idempotencyKey) {
            this.idempotencyKey = idempotencyKey;
            return this;
        }

        /**
         * Allows one live run per key; the key is free again when the run has ended.
         *
         * @param activeKey unique among the live runs of the organization, whatever their type
         * @return this builder
         */
        public Builder activeKey(String activeKey) {
            this.activeKey = activeKey;
            return this;
        }

        /**
         * Names the step whose output becomes the run's result.
         *
         * @param step a step of this workflow
         * @return this builder
         */
        public Builder result(StepRef step) {
            this.resultStep = step.key();
            return this;
        }

        /**
         * Checks and makes the workflow.
         *
         * @return the workflow
         * @throws InvalidWorkflowException with every problem at once
         */
        public WorkflowRequest build() {
            return new WorkflowRequest(type, metadata, organizationId, idempotencyKey, activeKey, resultStep, steps);
        }
    }
}

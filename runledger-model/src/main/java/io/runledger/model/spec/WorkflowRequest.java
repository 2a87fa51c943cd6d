package io.runledger.model.spec;

import io.runledger.model.error.InvalidWorkflowException;
import io.runledger.model.error.WorkflowProblem;
import io.runledger.model.id.Text;
import io.runledger.model.json.Payload;
import io.runledger.model.state.ContextMerge;
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
 * @param context what the steps share from the start: an object
 * @param contextMerge what a step's contribution does to a name that is there already
 * @param steps at least one, in the order declared
 */
public record WorkflowRequest(
        String type,
        Payload metadata,
        @Nullable UUID organizationId,
        @Nullable String idempotencyKey,
        @Nullable String activeKey,
        @Nullable String resultStep,
        Payload context,
        ContextMerge contextMerge,
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
     * @param context see the record
     * @param contextMerge see the record
     * @param steps see the record
     * @throws InvalidWorkflowException with every problem at once
     */
    public WorkflowRequest {
        Objects.requireNonNull(type, "type");
        Objects.requireNonNull(metadata, "metadata");
        Objects.requireNonNull(context, "context");
        Objects.requireNonNull(contextMerge, "contextMerge");
        steps = List.copyOf(steps);
        List<WorkflowProblem> problems = WorkflowCheck.problems(type, idempotencyKey, activeKey, resultStep, steps);
        if (!problems.isEmpty()) {
            throw new InvalidWorkflowException("workflow " + Text.quoted(type), problems);
        }
    }

    /**
     * A workflow whose steps share nothing from the start.
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
    public WorkflowRequest(
            String type,
            Payload metadata,
            @Nullable UUID organizationId,
            @Nullable String idempotencyKey,
            @Nullable String activeKey,
            @Nullable String resultStep,
            List<StepRequest> steps) {
        this(
                type,
                metadata,
                organizationId,
                idempotencyKey,
                activeKey,
                resultStep,
                Payload.empty(),
                ContextMerge.REPLACE,
                steps);
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
        return new WorkflowRequest(
                type, metadata, organizationId, idempotencyKey, activeKey, resultStep, context, contextMerge, steps);
    }

    /**
     * The same workflow under another idempotency key.
     *
     * @param idempotencyKey the key, or null for none
     * @return a copy
     */
    public WorkflowRequest withIdempotencyKey(@Nullable String idempotencyKey) {
        return new WorkflowRequest(
                type, metadata, organizationId, idempotencyKey, activeKey, resultStep, context, contextMerge, steps);
    }

    /** Collects a workflow. A step can only wait for what was declared before it, so a circle cannot be said. */
    public static final class Builder extends StepsBuilder {
        private final String type;
        private Payload metadata = Payload.empty();
        private @Nullable UUID organizationId;
        private @Nullable String idempotencyKey;
        private @Nullable String activeKey;
        private @Nullable String resultStep;
        private Payload context = Payload.empty();
        private ContextMerge contextMerge = ContextMerge.REPLACE;

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

        /** Keeps the values of a workflow type beside whatever else is kept with the run. */
        Builder parameters(WorkflowParameters values) {
            this.metadata = metadata.withMember(WorkflowType.KEPT_AS, values.asMap());
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
         * Gives the steps something to share: handlers read it, conditions look into it, and steps add to it when they succeed.
         *
         * @param context a map, an object the codec encodes as a JSON object, or {@link io.runledger.model.json.Json}
         * @return this builder
         */
        public Builder context(Object context) {
            this.context = Payload.of(context);
            return this;
        }

        /**
         * Says what the contribution of a step does to a name that the context has already; {@link ContextMerge#REPLACE} unless
         * said.
         *
         * @param contextMerge the rule
         * @return this builder
         */
        public Builder contextMerge(ContextMerge contextMerge) {
            this.contextMerge = contextMerge;
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
            return new WorkflowRequest(
                    type,
                    metadata,
                    organizationId,
                    idempotencyKey,
                    activeKey,
                    resultStep,
                    context,
                    contextMerge,
                    steps);
        }
    }
}

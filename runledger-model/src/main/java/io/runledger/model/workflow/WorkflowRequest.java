package io.runledger.model.workflow;

import io.runledger.model.error.InvalidWorkflowException;
import io.runledger.model.error.WorkflowProblem;
import io.runledger.model.json.Payload;
import io.runledger.model.text.Text;
import io.runledger.model.value.Headers;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A workflow to be started. An instance is always valid: it has no cycles and no unknown dependencies, and all names
 * and numbers are valid.
 *
 * @param metadata stored with the run
 * @param organizationId organization of the run, or null for a global run
 * @param idempotencyKey idempotency key of the start, unique per workflow type and organization, permanently
 * @param activeKey at most one live run of the organization holds the key
 * @param resultStep key of the step whose output is the result of the run
 * @param context initial context that the steps share; an object
 * @param contextMerge rule for a contribution under a name that the context already has
 * @param headers carried beside the payloads of all steps; not compared when the idempotency key is used again
 * @param steps at least one, in the order of declaration
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
        Map<String, String> headers,
        List<StepRequest> steps) {
    /** @throws InvalidWorkflowException with all problems */
    public WorkflowRequest {
        Objects.requireNonNull(type, "type");
        Objects.requireNonNull(metadata, "metadata");
        Objects.requireNonNull(context, "context");
        Objects.requireNonNull(contextMerge, "contextMerge");
        headers = Headers.copyOf(headers);
        steps = List.copyOf(steps);
        List<WorkflowProblem> problems =
                WorkflowCheck.problems(type, idempotencyKey, activeKey, resultStep, headers, steps);
        if (!problems.isEmpty()) {
            throw new InvalidWorkflowException("workflow " + Text.quoted(type), problems);
        }
    }

    /**
     * A workflow with an empty context.
     *
     * @throws InvalidWorkflowException with all problems
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
                Map.of(),
                steps);
    }

    public static Builder builder(String type) {
        return new Builder(type);
    }

    /**
     * Returns a copy for another organization.
     *
     * @param organizationId organization of the run, or null for a global run
     */
    public WorkflowRequest withOrganization(@Nullable UUID organizationId) {
        return new WorkflowRequest(
                type,
                metadata,
                organizationId,
                idempotencyKey,
                activeKey,
                resultStep,
                context,
                contextMerge,
                headers,
                steps);
    }

    /** Returns a copy with another idempotency key, or without one if it is null. */
    public WorkflowRequest withIdempotencyKey(@Nullable String idempotencyKey) {
        return new WorkflowRequest(
                type,
                metadata,
                organizationId,
                idempotencyKey,
                activeKey,
                resultStep,
                context,
                contextMerge,
                headers,
                steps);
    }

    /** Builds a workflow. A step can only depend on steps declared before it, so a cycle is not possible. */
    public static final class Builder extends StepsBuilder {
        private final String type;
        private Payload metadata = Payload.empty();
        private @Nullable UUID organizationId;
        private @Nullable String idempotencyKey;
        private @Nullable String activeKey;
        private @Nullable String resultStep;
        private Payload context = Payload.empty();
        private ContextMerge contextMerge = ContextMerge.REPLACE;
        private final Map<String, String> headers = new LinkedHashMap<>();

        private Builder(String type) {
            this.type = type;
        }

        /**
         * Sets the metadata to store with the run.
         *
         * @param metadata {@link io.runledger.model.json.Json}, or an object that the codec encodes
         */
        public Builder metadata(@Nullable Object metadata) {
            this.metadata = Payload.of(metadata);
            return this;
        }

        /** Adds the parameter values of a workflow type to the metadata. */
        Builder parameters(WorkflowParameters values) {
            this.metadata = metadata.withMember(WorkflowType.KEPT_AS, values.asMap());
            return this;
        }

        /** Sets the organization of the run and its steps. */
        public Builder organization(UUID organizationId) {
            this.organizationId = organizationId;
            return this;
        }

        /**
         * Makes the start idempotent: the same key with the same workflow returns the existing run; with another
         * workflow it causes a conflict.
         *
         * @param idempotencyKey unique per workflow type and organization, permanently
         */
        public Builder idempotencyKey(String idempotencyKey) {
            this.idempotencyKey = idempotencyKey;
            return this;
        }

        /**
         * Allows one live run per key. The key is released when the run ends.
         *
         * @param activeKey unique among the live runs of the organization, regardless of their type
         */
        public Builder activeKey(String activeKey) {
            this.activeKey = activeKey;
            return this;
        }

        /**
         * Sets the initial context of the run. Handlers and conditions can read the context, and steps add to it when
         * they succeed.
         *
         * @param context a map, {@link io.runledger.model.json.Json}, or an object that the codec encodes as a JSON
         *     object
         */
        public Builder context(Object context) {
            this.context = Payload.of(context);
            return this;
        }

        /**
         * Sets the rule for a contribution under a name that the context already has; the default is
         * {@link ContextMerge#REPLACE}.
         */
        public Builder contextMerge(ContextMerge contextMerge) {
            this.contextMerge = contextMerge;
            return this;
        }

        /**
         * Adds a header, which each job of the run's steps has too.
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

        /** Sets the step whose output is the result of the run. */
        public Builder result(StepRef step) {
            this.resultStep = step.key();
            return this;
        }

        /** @throws InvalidWorkflowException with all problems */
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
                    headers,
                    steps);
        }
    }
}

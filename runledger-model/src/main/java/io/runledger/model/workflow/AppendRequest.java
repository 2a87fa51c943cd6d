package io.runledger.model.workflow;

import io.runledger.model.error.InvalidWorkflowException;
import io.runledger.model.error.WorkflowProblem;
import io.runledger.model.json.Payload;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A request to add steps to a live run while one of its gates is open. New steps may depend on existing steps and on
 * each other; existing steps do not depend on new ones.
 *
 * @param mutationKey idempotency key of the append, unique within the run
 * @param window key of the open gate under which the steps are appended
 * @param metadata stored with the append; not compared when the key is used again
 * @param steps at least one, in the order of declaration
 */
public record AppendRequest(UUID runId, String mutationKey, String window, Payload metadata, List<StepRequest> steps) {
    /** @throws InvalidWorkflowException with all problems */
    public AppendRequest {
        Objects.requireNonNull(runId, "runId");
        Objects.requireNonNull(metadata, "metadata");
        steps = List.copyOf(steps);
        refuse(runId, WorkflowCheck.appendProblems(mutationKey, window, steps, null));
    }

    /**
     * Checks the append against the existing steps of the run.
     *
     * @param existing keys of the existing steps
     * @throws InvalidWorkflowException with all problems
     */
    public void requireFits(Set<String> existing) {
        refuse(runId, WorkflowCheck.appendProblems(mutationKey, window, steps, existing));
    }

    private static void refuse(UUID runId, List<WorkflowProblem> problems) {
        if (!problems.isEmpty()) {
            throw new InvalidWorkflowException("append to run " + runId, problems);
        }
    }

    /**
     * @param mutationKey idempotency key of the append, unique within the run
     * @param window key of the open gate under which the steps are appended
     */
    public static Builder builder(UUID runId, String mutationKey, String window) {
        return new Builder(runId, mutationKey, window);
    }

    public static final class Builder extends StepsBuilder {
        private final UUID runId;
        private final String mutationKey;
        private final String window;
        private Payload metadata = Payload.empty();

        private Builder(UUID runId, String mutationKey, String window) {
            this.runId = runId;
            this.mutationKey = mutationKey;
            this.window = window;
        }

        /**
         * Sets the metadata to store with the append.
         *
         * @param metadata {@link io.runledger.model.json.Json}, or an object that the codec encodes
         */
        public Builder metadata(@Nullable Object metadata) {
            this.metadata = Payload.of(metadata);
            return this;
        }

        /** @throws InvalidWorkflowException with all problems */
        public AppendRequest build() {
            return new AppendRequest(runId, mutationKey, window, metadata, steps);
        }
    }
}

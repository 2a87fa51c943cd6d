package io.runledger.model.spec;

import io.runledger.model.error.InvalidWorkflowException;
import io.runledger.model.error.WorkflowProblem;
import io.runledger.model.json.Payload;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Steps to be added to a live run while one of its gates is open. New steps may wait for existing ones and for each other; existing
 * steps never wait for new ones.
 *
 * @param runId the run
 * @param mutationKey makes the append repeatable: unique within the run
 * @param window key of the open gate that holds the run open
 * @param metadata what the caller wants kept with the append; not compared when it is repeated
 * @param steps at least one, in the order declared
 */
public record AppendRequest(UUID runId, String mutationKey, String window, Payload metadata, List<StepRequest> steps) {
    /**
     * Checks what can be checked without the run: everything but the existing steps' keys.
     *
     * @param runId see the record
     * @param mutationKey see the record
     * @param window see the record
     * @param metadata see the record
     * @param steps see the record
     * @throws InvalidWorkflowException with every problem at once
     */
    public AppendRequest {
        Objects.requireNonNull(runId, "runId");
        Objects.requireNonNull(metadata, "metadata");
        steps = List.copyOf(steps);
        refuse(runId, WorkflowCheck.appendProblems(mutationKey, window, steps, null));
    }

    /**
     * Checks the append against the steps the run already has.
     *
     * @param existing keys of the run's steps
     * @throws InvalidWorkflowException with every problem at once
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
     * Starts an append.
     *
     * @param runId the run
     * @param mutationKey makes the append repeatable: unique within the run
     * @param window key of the open gate that holds the run open
     * @return a builder
     */
    public static Builder builder(UUID runId, String mutationKey, String window) {
        return new Builder(runId, mutationKey, window);
    }

    /** Collects an append. */
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
         * Sets what is kept with the append.
         *
         * @param metadata {@link io.runledger.model.json.Json}, or an object the codec encodes
         * @return this builder
         */
        public Builder metadata(@Nullable Object metadata) {
            this.metadata = Payload.of(metadata);
            return this;
        }

        /**
         * Checks and makes the append.
         *
         * @return the append
         * @throws InvalidWorkflowException with every problem at once
         */
        public AppendRequest build() {
            return new AppendRequest(runId, mutationKey, window, metadata, steps);
        }
    }
}

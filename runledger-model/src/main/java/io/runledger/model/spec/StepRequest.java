package io.runledger.model.spec;

import io.runledger.model.condition.Condition;
import io.runledger.model.error.SourceLine;
import io.runledger.model.json.Payload;
import io.runledger.model.state.StepKind;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A step to be made. Its values are checked together with the workflow or append it belongs to, so that all problems come at once.
 */
public sealed interface StepRequest permits JobStep, GateStep {
    /**
     * The step's key.
     *
     * @return unique within its run
     */
    String key();

    /**
     * What the step's handler, or whoever completes the gate, gets.
     *
     * @return the payload
     */
    Payload payload();

    /**
     * The organization the step runs for, if not the run's.
     *
     * @return its id, or null to inherit the run's
     */
    @Nullable
    UUID organizationId();

    /**
     * What the step waits for.
     *
     * @return in the order declared
     */
    List<Dependency> dependencies();

    /**
     * When the step runs, once what it waits for allows it.
     *
     * @return the condition, or null to run in any case
     */
    @Nullable
    Condition condition();

    /**
     * Where the step was declared, for messages. Two steps that differ in nothing else are equal.
     *
     * @return the line, {@link SourceLine#UNKNOWN} for a step that was not declared with a builder
     */
    SourceLine declaredAt();

    /**
     * Whether it is a job or a gate.
     *
     * @return the kind
     */
    StepKind kind();
}

package io.runledger.model.workflow;

import io.runledger.model.condition.Condition;
import io.runledger.model.error.SourceLine;
import io.runledger.model.json.Payload;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** A step to be created. It is validated with its workflow or append, so that all problems are reported together. */
public sealed interface StepRequest permits JobStep, GateStep {
    String key();

    /** The payload of the job, or information for the completion of the gate. */
    Payload payload();

    /** The organization of the step, or null for that of the run. */
    @Nullable
    UUID organizationId();

    /** The dependencies, in the order of declaration. */
    List<Dependency> dependencies();

    /** The condition checked after the dependencies are satisfied; null if there is none. */
    @Nullable
    Condition condition();

    /**
     * The source line of the declaration, for messages. Not compared by {@code equals}.
     *
     * @return {@link SourceLine#UNKNOWN} if the step was not declared with a builder
     */
    SourceLine declaredAt();

    StepKind kind();
}

package io.runledger.model.state;

import io.runledger.model.json.Json;
import org.jspecify.annotations.Nullable;

/**
 * What a step's prerequisite left behind.
 *
 * @param stepKey the prerequisite
 * @param status how it ended
 * @param output what it returned, or null when nothing
 * @param inputName name of the step's input that the output is, or null when the step only waits for the prerequisite
 */
public record StepOutput(
        String stepKey,
        WorkflowStepStatus status,
        @Nullable Json output,
        @Nullable String inputName) {}

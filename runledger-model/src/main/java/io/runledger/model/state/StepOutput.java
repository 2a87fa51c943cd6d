package io.runledger.model.state;

import io.runledger.model.json.Json;
import org.jspecify.annotations.Nullable;

/**
 * What a step's prerequisite left behind.
 *
 * @param stepKey the prerequisite
 * @param status how it ended
 * @param output what it returned, or null when nothing
 */
public record StepOutput(
        String stepKey, WorkflowStepStatus status, @Nullable Json output) {}

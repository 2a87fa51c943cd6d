package io.runledger.model.run;

import io.runledger.model.json.Json;
import io.runledger.model.workflow.WorkflowStepStatus;
import org.jspecify.annotations.Nullable;

/**
 * The output of a prerequisite.
 *
 * @param stepKey key of the prerequisite
 * @param output null if there is none
 * @param inputName name of the input that is bound to the output, or null if the step only waits for the prerequisite
 */
public record StepOutput(
        String stepKey,
        WorkflowStepStatus status,
        @Nullable Json output,
        @Nullable String inputName) {}

package io.runledger.model.state;

import java.time.Instant;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Which step of a run waits for which.
 *
 * @param runId the run
 * @param prerequisiteStepId the step that must end first
 * @param dependentStepId the step that waits
 * @param releaseMode which endings satisfy it
 * @param inputName name of the dependent's input that the prerequisite's output is, or null when there is none
 * @param createdAt when it was declared
 */
public record StepDependency(
        UUID runId,
        UUID prerequisiteStepId,
        UUID dependentStepId,
        ReleaseMode releaseMode,
        @Nullable String inputName,
        Instant createdAt) {}

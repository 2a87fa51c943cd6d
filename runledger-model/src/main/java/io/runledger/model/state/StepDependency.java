package io.runledger.model.state;

import java.time.Instant;
import java.util.UUID;

/**
 * Which step of a run waits for which.
 *
 * @param runId the run
 * @param prerequisiteStepId the step that must end first
 * @param dependentStepId the step that waits
 * @param releaseMode which endings satisfy it
 * @param createdAt when it was declared
 */
public record StepDependency(
        UUID runId, UUID prerequisiteStepId, UUID dependentStepId, ReleaseMode releaseMode, Instant createdAt) {}

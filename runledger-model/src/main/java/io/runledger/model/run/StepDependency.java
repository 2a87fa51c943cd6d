package io.runledger.model.run;

import io.runledger.model.workflow.ReleaseMode;
import java.time.Instant;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A dependency between two steps of a run.
 *
 * @param prerequisiteStepId step that must end first
 * @param dependentStepId step that waits
 * @param inputName name of the input that is bound to the output of the prerequisite, or null if there is none
 */
public record StepDependency(
        UUID runId,
        UUID prerequisiteStepId,
        UUID dependentStepId,
        ReleaseMode releaseMode,
        @Nullable String inputName,
        Instant createdAt) {}

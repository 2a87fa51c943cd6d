package io.runledger.model.state;

import java.time.Instant;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Which ended run a new run does again.
 *
 * @param recoveryRunId the new run
 * @param sourceRunId the run it does again
 * @param sourceStepId the step that made it necessary, if named
 * @param mode how much of it is done again
 * @param requestKey makes the request repeatable
 * @param reason why
 * @param createdAt when it was asked for
 */
public record WorkflowRecovery(
        UUID recoveryRunId,
        UUID sourceRunId,
        @Nullable UUID sourceStepId,
        RecoveryMode mode,
        String requestKey,
        String reason,
        Instant createdAt) {}

package io.runledger.model.history;

import java.time.Instant;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A recovery: a new run that repeats an ended run.
 *
 * @param sourceRunId the ended run
 * @param sourceStepId step that caused the recovery, if given
 * @param requestKey idempotency key of the request
 * @param createdAt time of the request
 */
public record WorkflowRecovery(
        UUID recoveryRunId,
        UUID sourceRunId,
        @Nullable UUID sourceStepId,
        RecoveryMode mode,
        String requestKey,
        String reason,
        Instant createdAt) {}

package io.runledger.model.spec;

import io.runledger.model.error.ErrorCode;
import io.runledger.model.error.InvalidRequestException;
import io.runledger.model.id.Identifier;
import io.runledger.model.id.Text;
import java.util.Objects;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A wish to do an ended run again as a new one, every step of it.
 *
 * @param sourceRunId the run that ended
 * @param sourceStepId the step that made it necessary, if there is one to name
 * @param requestKey makes the request repeatable: unique for the source run, at most 512 bytes
 * @param reason why; kept with the lineage
 */
public record RecoveryRequest(UUID sourceRunId, @Nullable UUID sourceStepId, String requestKey, String reason) {
    private static final int MAX_REASON_BYTES = 8 * 1024;

    /**
     * Checks key and reason.
     *
     * @param sourceRunId see the record
     * @param sourceStepId see the record
     * @param requestKey see the record
     * @param reason see the record
     * @throws InvalidRequestException with {@code workflow.invalid_recovery_request_key} or {@code
     *     workflow.invalid_recovery_reason}
     */
    public RecoveryRequest {
        Objects.requireNonNull(sourceRunId, "sourceRunId");
        Identifier.RECOVERY_KEY.require(requestKey);
        requireReason(reason);
    }

    /**
     * A recovery that names no step.
     *
     * @param sourceRunId the run that ended
     * @param requestKey makes the request repeatable
     * @param reason why
     * @return the request
     */
    public static RecoveryRequest of(UUID sourceRunId, String requestKey, String reason) {
        return new RecoveryRequest(sourceRunId, null, requestKey, reason);
    }

    static void requireReason(String reason) {
        if (Text.isBlank(reason) || !Text.isStorable(reason) || Text.utf8Length(reason) > MAX_REASON_BYTES) {
            throw new InvalidRequestException(
                    ErrorCode.RECOVERY_REASON_INVALID,
                    "The reason is blank, not storable or longer than " + MAX_REASON_BYTES
                            + " bytes: say why in a few words.");
        }
    }
}

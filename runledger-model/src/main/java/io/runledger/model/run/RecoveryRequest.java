package io.runledger.model.run;

import io.runledger.model.error.ErrorCode;
import io.runledger.model.error.InvalidRequestException;
import io.runledger.model.text.Text;
import io.runledger.model.value.Identifier;
import java.util.Objects;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A request to repeat all steps of an ended run in a new run.
 *
 * @param sourceStepId step that caused the recovery, or null
 * @param requestKey idempotency key, unique for the source run; at most 512 bytes
 * @param reason reason; stored with the lineage
 */
public record RecoveryRequest(UUID sourceRunId, @Nullable UUID sourceStepId, String requestKey, String reason) {
    private static final int MAX_REASON_BYTES = 8 * 1024;

    /**
     * @throws InvalidRequestException with {@code workflow.invalid_recovery_request_key} or
     *     {@code workflow.invalid_recovery_reason}
     */
    public RecoveryRequest {
        Objects.requireNonNull(sourceRunId, "sourceRunId");
        Identifier.RECOVERY_KEY.require(requestKey);
        requireReason(reason);
    }

    /**
     * A recovery without a source step.
     *
     * @param requestKey idempotency key of the request
     */
    public static RecoveryRequest of(UUID sourceRunId, String requestKey, String reason) {
        return new RecoveryRequest(sourceRunId, null, requestKey, reason);
    }

    static void requireReason(String reason) {
        if (Text.isBlank(reason) || !Text.isStorable(reason) || Text.utf8Length(reason) > MAX_REASON_BYTES) {
            throw new InvalidRequestException(
                    ErrorCode.RECOVERY_REASON_INVALID,
                    "The reason is blank, not storable or longer than " + MAX_REASON_BYTES
                            + " bytes: use a short description.");
        }
    }
}

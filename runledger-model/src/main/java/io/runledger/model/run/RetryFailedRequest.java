package io.runledger.model.run;

import io.runledger.model.error.InvalidRequestException;
import io.runledger.model.value.Identifier;
import java.util.Objects;
import java.util.UUID;

/**
 * A request to run the failed and canceled steps of an ended run again. Succeeded steps are kept.
 *
 * @param requestKey idempotency key, unique within the run; at most 512 bytes
 * @param reason reason; stored with the run
 */
public record RetryFailedRequest(UUID runId, String requestKey, String reason) {
    /**
     * @throws InvalidRequestException with {@code workflow.invalid_recovery_request_key} or
     *     {@code workflow.invalid_recovery_reason}
     */
    public RetryFailedRequest {
        Objects.requireNonNull(runId, "runId");
        Identifier.RECOVERY_KEY.require(requestKey);
        RecoveryRequest.requireReason(reason);
    }
}

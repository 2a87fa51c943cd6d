package io.runledger.model.spec;

import io.runledger.model.error.InvalidRequestException;
import io.runledger.model.id.Identifier;
import java.util.Objects;
import java.util.UUID;

/**
 * A wish to run the failed and canceled steps of an ended run again, keeping what succeeded.
 *
 * @param runId the run
 * @param requestKey makes the request repeatable: unique within the run, at most 512 bytes
 * @param reason why; kept with the run
 */
public record RetryFailedRequest(UUID runId, String requestKey, String reason) {
    /**
     * Checks key and reason.
     *
     * @param runId see the record
     * @param requestKey see the record
     * @param reason see the record
     * @throws InvalidRequestException with {@code workflow.invalid_recovery_request_key} or {@code
     *     workflow.invalid_recovery_reason}
     */
    public RetryFailedRequest {
        Objects.requireNonNull(runId, "runId");
        Identifier.RECOVERY_KEY.require(requestKey);
        RecoveryRequest.requireReason(reason);
    }
}

package io.runledger.model.job;

import io.runledger.model.error.ErrorCode;
import io.runledger.model.error.InvalidRequestException;
import io.runledger.model.text.Text;
import java.util.Objects;
import java.util.UUID;

/**
 * A request for a new job that repeats a succeeded one. The same request returns the same new job.
 *
 * @param expectedRun run in which the job succeeded, as read by the caller
 * @param requestKey idempotency key: one new job per source job, run and key; at most 512 bytes
 */
public record ReplayRequest(UUID sourceJobId, int expectedRun, String requestKey, String reason) {
    private static final int MAX_KEY_BYTES = 512;

    /**
     * @throws InvalidRequestException with {@code job.replay_request_key_blank},
     *     {@code job.replay_request_key_too_long}, {@code job.replay_reason_blank} or {@code request.invalid}
     */
    public ReplayRequest {
        Objects.requireNonNull(sourceJobId, "source job id");
        refuseIf(expectedRun < 1, ErrorCode.INVALID_ARGUMENT, "expectedRun is " + expectedRun + ": runs count from 1.");
        refuseIf(Text.isBlank(requestKey), ErrorCode.REPLAY_KEY_BLANK, ErrorCode.REPLAY_KEY_BLANK.message());
        refuseIf(
                Text.utf8Length(requestKey) > MAX_KEY_BYTES,
                ErrorCode.REPLAY_KEY_TOO_LONG,
                "The request key of the replay has " + Text.utf8Length(requestKey) + " bytes: use at most "
                        + MAX_KEY_BYTES + ".");
        refuseIf(Text.isBlank(reason), ErrorCode.REPLAY_REASON_BLANK, ErrorCode.REPLAY_REASON_BLANK.message());
        refuseIf(
                !Text.isStorable(requestKey) || !Text.isStorable(reason),
                ErrorCode.INVALID_ARGUMENT,
                "The request key or the reason of the replay cannot be stored in PostgreSQL: remove invalid characters.");
    }

    private static void refuseIf(boolean isWrong, ErrorCode code, String message) {
        if (isWrong) {
            throw new InvalidRequestException(code, message);
        }
    }
}

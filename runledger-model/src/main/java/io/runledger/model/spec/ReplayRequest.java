package io.runledger.model.spec;

import io.runledger.model.error.ErrorCode;
import io.runledger.model.error.InvalidRequestException;
import io.runledger.model.id.Text;
import io.runledger.model.state.Scope;
import java.util.Objects;
import java.util.UUID;

/**
 * Asks for a new job that does again what a succeeded one did. Repeating the request gives the same new job.
 *
 * @param scope whose jobs may be touched
 * @param sourceJobId the succeeded job
 * @param expectedRun the run the caller saw succeed
 * @param requestKey makes the request repeatable: one new job per source, run and key; at most 512 bytes
 * @param reason why
 */
public record ReplayRequest(Scope scope, UUID sourceJobId, int expectedRun, String requestKey, String reason) {
    private static final int MAX_KEY_BYTES = 512;

    /**
     * Checks every value.
     *
     * @param scope see the record
     * @param sourceJobId see the record
     * @param expectedRun see the record
     * @param requestKey see the record
     * @param reason see the record
     * @throws InvalidRequestException with {@code job.replay_request_key_blank}, {@code job.replay_request_key_too_long},
     *     {@code job.replay_reason_blank} or {@code request.invalid}
     */
    public ReplayRequest {
        Objects.requireNonNull(scope, "scope");
        Objects.requireNonNull(sourceJobId, "source job id");
        refuseIf(expectedRun < 1, ErrorCode.INVALID_ARGUMENT, "expectedRun is " + expectedRun + ": runs count from 1.");
        refuseIf(Text.isBlank(requestKey), ErrorCode.REPLAY_KEY_BLANK, ErrorCode.REPLAY_KEY_BLANK.message());
        refuseIf(
                Text.utf8Length(requestKey) > MAX_KEY_BYTES,
                ErrorCode.REPLAY_KEY_TOO_LONG,
                "The replay's request key has " + Text.utf8Length(requestKey) + " bytes: give at most " + MAX_KEY_BYTES
                        + ".");
        refuseIf(Text.isBlank(reason), ErrorCode.REPLAY_REASON_BLANK, ErrorCode.REPLAY_REASON_BLANK.message());
        refuseIf(
                !Text.isStorable(requestKey) || !Text.isStorable(reason),
                ErrorCode.INVALID_ARGUMENT,
                "The replay's request key or reason holds characters that PostgreSQL cannot store: leave them out.");
    }

    private static void refuseIf(boolean isWrong, ErrorCode code, String message) {
        if (isWrong) {
            throw new InvalidRequestException(code, message);
        }
    }
}

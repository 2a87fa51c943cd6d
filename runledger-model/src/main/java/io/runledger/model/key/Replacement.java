package io.runledger.model.key;

import io.runledger.model.error.ErrorCode;
import io.runledger.model.error.InvalidRequestException;
import io.runledger.model.value.Identifier;
import java.util.Set;

/**
 * An enqueue changes the job with the same key while that job waits, also while it waits for its next attempt. Otherwise
 * it inserts a job.
 *
 * @param key the key
 * @param parts the parts that are replaced, at least one; the others stay as they are
 */
public record Replacement(String key, Set<ReplacedPart> parts) implements KeyRule {
    /** @throws InvalidRequestException with {@code job.invalid_key}, or {@code request.invalid} without a part */
    public Replacement {
        Identifier.JOB_KEY.require(key);
        parts = Set.copyOf(parts);
        if (parts.isEmpty()) {
            throw new InvalidRequestException(
                    ErrorCode.INVALID_ARGUMENT, "No part is to be replaced: name PAYLOAD, TIME or PRIORITY.");
        }
    }

    @Override
    public Kind kind() {
        return Kind.REPLACE;
    }
}

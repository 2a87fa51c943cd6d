package io.runledger.model.key;

import io.runledger.model.error.ErrorCode;
import io.runledger.model.error.InvalidRequestException;
import io.runledger.model.value.Identifier;
import io.runledger.model.value.SettingRules;
import java.time.Duration;

/**
 * The job is due when no further enqueue with its key has come for some time. Each enqueue replaces payload and headers
 * of the job that waits and puts it off. When it was claimed for the first time, the next enqueue inserts a new job.
 *
 * @param key the key
 * @param pause how long after the last enqueue the job is due
 * @param atMost how long after the first enqueue the job is due at the latest; at least {@code pause}
 */
public record Debounce(String key, Duration pause, Duration atMost) implements KeyRule {
    /** @throws InvalidRequestException with {@code job.invalid_key} or {@code job.invalid_key_duration} */
    public Debounce {
        Identifier.JOB_KEY.require(key);
        SettingRules.refuse(ErrorCode.INVALID_KEY_DURATION, SettingRules.windowProblem("The pause", pause));
        SettingRules.refuse(ErrorCode.INVALID_KEY_DURATION, SettingRules.windowProblem("atMost", atMost));
        if (atMost.compareTo(pause) < 0) {
            throw new InvalidRequestException(
                    ErrorCode.INVALID_KEY_DURATION,
                    "atMost is " + atMost + ", which is shorter than the pause of " + pause
                            + ": make it at least that.");
        }
    }

    @Override
    public Kind kind() {
        return Kind.DEBOUNCE;
    }
}

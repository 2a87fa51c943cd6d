package io.runledger.model.value;

import io.runledger.model.error.ErrorCode;
import io.runledger.model.error.InvalidRequestException;
import java.time.Duration;
import java.util.Optional;

/**
 * Checks the numeric settings that jobs and steps share. Each check returns a description of the problem, if there is
 * one. For the library's own modules; applications do not need it.
 */
public final class SettingRules {
    private SettingRules() {}

    /** Throws {@link InvalidRequestException} if there is a problem. */
    public static void refuse(ErrorCode code, Optional<String> problem) {
        problem.ifPresent(sentence -> {
            throw new InvalidRequestException(code, sentence);
        });
    }

    public static Optional<String> maxAttemptsProblem(int attempts) {
        return attempts > 0
                ? Optional.empty()
                : Optional.of("maxAttempts is " + attempts + ": a job needs at least 1 attempt.");
    }

    public static Optional<String> timeoutProblem(Duration timeout) {
        return secondsProblem("timeout", timeout, 1);
    }

    public static Optional<String> delayProblem(Duration delay) {
        return secondsProblem("delay", delay, 0);
    }

    public static Optional<String> leaseProblem(Duration lease) {
        return secondsProblem("lease", lease, 1);
    }

    public static Optional<String> intervalProblem(Duration interval) {
        return secondsProblem("interval", interval, 1);
    }

    public static Optional<String> expiryProblem(Duration expiry) {
        return secondsProblem("expiresAfter", expiry, 1);
    }

    /** A window may be shorter than a second. */
    public static Optional<String> windowProblem(String name, Duration window) {
        if (window.isNegative() || window.isZero()) {
            return Optional.of(name + " is " + window + ": it must be longer than zero.");
        }
        if (window.compareTo(Duration.ofSeconds(Integer.MAX_VALUE)) > 0) {
            return Optional.of(name + " is " + window + ": it must be at most 68 years.");
        }
        return Optional.empty();
    }

    /** Converts to whole seconds, as stored; rounds up, so that nothing happens earlier than requested. */
    public static int seconds(Duration duration) {
        return Math.toIntExact(duration.plusNanos(999_999_999).toSeconds());
    }

    private static Optional<String> secondsProblem(String name, Duration duration, long least) {
        if (duration.compareTo(Duration.ofSeconds(least)) < 0) {
            return Optional.of(name + " is " + duration + ": it must be "
                    + (least == 0 ? "zero or more." : "at least one second."));
        }
        if (duration.compareTo(Duration.ofSeconds(Integer.MAX_VALUE)) > 0) {
            return Optional.of(name + " is " + duration + ": it must be at most 68 years.");
        }
        return Optional.empty();
    }
}

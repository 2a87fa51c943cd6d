package io.runledger.model.spec;

import java.time.Duration;
import java.util.Optional;

/** The numeric rules that jobs and steps share; each answers with a sentence when broken. */
final class Setting {
    private Setting() {}

    static Optional<String> maxAttemptsProblem(int attempts) {
        return attempts > 0
                ? Optional.empty()
                : Optional.of("maxAttempts is " + attempts + ": a job needs at least 1 attempt.");
    }

    static Optional<String> timeoutProblem(Duration timeout) {
        return secondsProblem("timeout", timeout, 1);
    }

    static Optional<String> delayProblem(Duration delay) {
        return secondsProblem("delay", delay, 0);
    }

    static Optional<String> leaseProblem(Duration lease) {
        return secondsProblem("lease", lease, 1);
    }

    static Optional<String> intervalProblem(Duration interval) {
        return secondsProblem("interval", interval, 1);
    }

    static Optional<String> expiryProblem(Duration expiry) {
        return secondsProblem("expiresAfter", expiry, 1);
    }

    /** What is stored: whole seconds, rounded up so that nothing happens earlier than asked. */
    static int seconds(Duration duration) {
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

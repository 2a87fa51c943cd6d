package io.runledger.model.key;

import io.runledger.model.error.ErrorCode;
import io.runledger.model.error.InvalidRequestException;
import io.runledger.model.value.Identifier;
import io.runledger.model.value.SettingRules;
import java.time.Duration;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * An enqueue inserts a job only if no earlier job with the same key stands in the way. Otherwise it returns the earlier
 * job and writes nothing. Exact, whatever the number of callers.
 *
 * <p>Two payloads are the same key if they are equal JSON: the order of members and the notation of numbers do not
 * count. A key and a payload are never the same key.
 *
 * @param key the key; null if the payload is the key
 * @param span in which states an earlier job stands in the way
 * @param window how long the job that this enqueue inserts stands in the way, whatever its state; null for no longer
 *     than its state says
 */
public record Uniqueness(
        @Nullable String key, Span span, @Nullable Duration window) implements KeyRule {
    /** The states in which an earlier job stands in the way. */
    public enum Span {
        /** While it waits: for its time, for a worker or for its next attempt. */
        PENDING,
        /** While it waits or runs. */
        UNFINISHED,
        /** Its state does not count. */
        NONE
    }

    /** @throws InvalidRequestException with {@code job.invalid_key} or {@code job.invalid_key_duration} */
    public Uniqueness {
        if (key != null) {
            Identifier.JOB_KEY.require(key);
        }
        Objects.requireNonNull(span, "span");
        if (window != null) {
            SettingRules.refuse(ErrorCode.INVALID_KEY_DURATION, SettingRules.windowProblem("The duration", window));
        } else if (span == Span.NONE) {
            throw new InvalidRequestException(
                    ErrorCode.INVALID_KEY_DURATION, "The duration is missing: without a state, it has to be set.");
        }
    }

    /** One waiting job per key. While it runs, the next one can be enqueued. */
    public static Uniqueness whilePending(String key) {
        return new Uniqueness(Objects.requireNonNull(key, "key"), Span.PENDING, null);
    }

    /** {@link #whilePending}, with the payload as the key. */
    public static Uniqueness whilePendingByPayload() {
        return new Uniqueness(null, Span.PENDING, null);
    }

    /** One job per key that waits or runs. When it has ended, the next one can be enqueued. */
    public static Uniqueness whileUnfinished(String key) {
        return new Uniqueness(Objects.requireNonNull(key, "key"), Span.UNFINISHED, null);
    }

    /** {@link #whileUnfinished}, with the payload as the key. */
    public static Uniqueness whileUnfinishedByPayload() {
        return new Uniqueness(null, Span.UNFINISHED, null);
    }

    /**
     * One job per key and duration, whatever its state. The duration begins when a job is inserted; further calls do not
     * lengthen it.
     */
    public static Uniqueness within(String key, Duration duration) {
        return new Uniqueness(Objects.requireNonNull(key, "key"), Span.NONE, duration);
    }

    /** {@link #within}, with the payload as the key. */
    public static Uniqueness withinByPayload(Duration duration) {
        return new Uniqueness(null, Span.NONE, duration);
    }

    /** The same states, and in addition {@link #within} a duration. */
    public Uniqueness orWithin(Duration duration) {
        return new Uniqueness(key, span, Objects.requireNonNull(duration, "duration"));
    }

    @Override
    public Kind kind() {
        return Kind.UNIQUE;
    }
}

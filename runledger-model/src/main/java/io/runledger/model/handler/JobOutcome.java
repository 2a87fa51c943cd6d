package io.runledger.model.handler;

import io.runledger.model.error.ErrorCode;
import io.runledger.model.error.InvalidRequestException;
import io.runledger.model.failure.FailureKind;
import io.runledger.model.failure.JobFailure;
import io.runledger.model.json.Json;
import io.runledger.model.json.Payload;
import io.runledger.model.text.Text;
import io.runledger.model.value.StorableValues;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The outcome that a handler returns. An exception is converted to a failure with {@link JobFailure#of(Throwable)}. The
 * outcome is written under the lease: if the lease is lost, nothing is written.
 */
public sealed interface JobOutcome {
    enum Kind {
        /** {@link Succeeded}. */
        SUCCEEDED,
        /** {@link Failed}. */
        FAILED,
        /** {@link Retry}. */
        RETRY,
        /** {@link Canceled}. */
        CANCELED,
        /** {@link Continue}. */
        CONTINUE,
        /** {@link Snooze}. */
        SNOOZE
    }

    Kind kind();

    /** Succeeds without an output. */
    static Succeeded succeeded() {
        return new Succeeded(null);
    }

    /**
     * Succeeds with an output, which dependent steps can read.
     *
     * @param output {@code Json}, or an object that the codec encodes; null is stored as the JSON value {@code null}
     */
    static Succeeded succeeded(@Nullable Object output) {
        return new Succeeded(Payload.of(output));
    }

    /**
     * Fails permanently; the job becomes a dead letter.
     *
     * @param message description for operators; null means none
     * @throws InvalidRequestException with {@code request.invalid} if the code cannot be stored
     */
    static Failed failed(String code, @Nullable String message) {
        return failed(JobFailure.terminal(code, message));
    }

    /** Fails; the kind of the failure and the retry policy decide whether the job is retried. */
    static Failed failed(JobFailure failure) {
        return new Failed(failure);
    }

    /**
     * Fails and requests a retry according to the retry policy.
     *
     * @param message description for operators; null means none
     * @throws InvalidRequestException with {@code request.invalid} if the code cannot be stored
     */
    static Retry retry(String code, @Nullable String message) {
        return new Retry(JobFailure.retryable(code, message), null);
    }

    /**
     * Fails and requests a retry according to the retry policy, but not before the delay has elapsed. Zero has no
     * effect.
     *
     * @param delay minimum wait, rounded up to the millisecond
     * @param message description for operators; null means none
     * @throws InvalidRequestException with {@code job.invalid_retry_timing} if the delay is negative or too long
     */
    static Retry retryAfter(Duration delay, String code, @Nullable String message) {
        return new Retry(JobFailure.retryable(code, message), NotBefore.after(delay));
    }

    /**
     * Fails and requests a retry according to the retry policy, but not before the instant. An instant in the past has
     * no effect.
     *
     * @param instant earliest time, rounded up to the microsecond
     * @param message description for operators; null means none
     * @throws InvalidRequestException with {@code job.invalid_retry_timing} if the instant is after the range of
     *     PostgreSQL
     */
    static Retry retryAt(Instant instant, String code, @Nullable String message) {
        return new Retry(JobFailure.retryable(code, message), NotBefore.at(instant));
    }

    /**
     * Cancels the job; this does not count as a failure.
     *
     * @param reason reason for operators; blank or null means {@code CANCELED}
     */
    static Canceled canceled(@Nullable String reason) {
        return new Canceled(reason == null ? "" : reason);
    }

    /** Continues the job immediately in its next run, with the same payload. */
    static Continue continueNow() {
        return new Continue(null, null, Duration.ZERO);
    }

    /**
     * Continues the job immediately in its next run, with another payload.
     *
     * @param payload {@code Json}, or an object that the codec encodes; null is stored as the JSON value {@code null}
     */
    static Continue continueNow(@Nullable Object payload) {
        return new Continue(Payload.of(payload), null, Duration.ZERO);
    }

    /**
     * Continues the job after a delay in its next run, with the same payload.
     *
     * @param delay zero or more, rounded up to the microsecond
     * @throws InvalidRequestException with {@code job.invalid_continuation_delay} if the delay is negative or too long
     */
    static Continue continueAfter(Duration delay) {
        return new Continue(null, null, delay);
    }

    /**
     * Continues the job after a delay in its next run, with another payload.
     *
     * @param delay zero or more, rounded up to the microsecond
     * @param payload {@code Json}, or an object that the codec encodes; null is stored as the JSON value {@code null}
     * @throws InvalidRequestException with {@code job.invalid_continuation_delay} if the delay is negative or too long
     */
    static Continue continueAfter(Duration delay, @Nullable Object payload) {
        return new Continue(Payload.of(payload), null, delay);
    }

    /**
     * Releases the job and runs it again after a delay. The attempt does not count, and the number of snoozes is not
     * limited.
     *
     * @param delay above zero, rounded up to the microsecond
     * @throws InvalidRequestException with {@code job.invalid_delay} if the delay is not positive or too long
     */
    static Snooze snooze(Duration delay) {
        return new Snooze(delay);
    }

    /**
     * Releases the job and runs it again at an instant, by the database's clock. The attempt does not count. If the
     * instant has passed by the database's clock but not by the handler's clock, the job waits for 0.1 seconds.
     *
     * @param instant rounded up to the microsecond
     * @throws InvalidRequestException with {@code job.invalid_delay} if the instant is after the range of PostgreSQL
     */
    static Snooze snoozeUntil(Instant instant) {
        return new Snooze(Snooze.SHORTEST, instant);
    }

    /**
     * Succeeded.
     *
     * @param output stored output, or null for none
     * @param contributions values added to the context of the workflow run, by name; ignored if the job belongs to no
     *     step
     */
    record Succeeded(@Nullable Payload output, Map<String, Payload> contributions) implements JobOutcome {
        public Succeeded {
            contributions = Map.copyOf(contributions);
        }

        /** A success without contributions to the run's context. */
        public Succeeded(@Nullable Payload output) {
            this(output, Map.of());
        }

        /**
         * Returns a copy that adds a value to the run's context, where later steps and conditions can read it. The
         * value is written atomically with the success. The {@code contextMerge} of the workflow decides about a name
         * that the context already has. Without effect if the job belongs to no step.
         *
         * @param value {@code Json}, or an object that the codec encodes; null is stored as the JSON value {@code null}
         */
        public Succeeded contributing(String name, @Nullable Object value) {
            Map<String, Payload> all = new HashMap<>(contributions);
            all.put(name, Payload.of(value));
            return new Succeeded(output, all);
        }

        @Override
        public Kind kind() {
            return Kind.SUCCEEDED;
        }
    }

    /** Fails; the kind of the failure and the retry policy decide whether the job is retried. */
    record Failed(JobFailure failure) implements JobOutcome {
        public Failed {
            Objects.requireNonNull(failure, "failure");
        }

        /**
         * Returns a copy with machine-readable details.
         *
         * @param details any JSON; stored with the message
         */
        public Failed withDetails(Json details) {
            return new Failed(failure.withDetails(details));
        }

        @Override
        public Kind kind() {
            return Kind.FAILED;
        }
    }

    /**
     * A failure for which the handler requests a retry. The retry policy decides: no attempt may be left, or a rule may
     * give up.
     *
     * @param failure of kind {@link FailureKind#RETRYABLE}
     * @param notBefore earliest time, or null to use the time of the policy
     */
    record Retry(JobFailure failure, @Nullable NotBefore notBefore) implements JobOutcome {
        /** @throws InvalidRequestException with {@code request.invalid} if the failure has another kind */
        public Retry {
            if (failure.kind() != FailureKind.RETRYABLE) {
                throw new InvalidRequestException(
                        ErrorCode.INVALID_ARGUMENT,
                        "A failure of kind " + failure.kind()
                                + " cannot request a retry: use failed(failure) instead.");
            }
        }

        /**
         * Returns a copy with machine-readable details.
         *
         * @param details any JSON; stored with the message
         */
        public Retry withDetails(Json details) {
            return new Retry(failure.withDetails(details), notBefore);
        }

        @Override
        public Kind kind() {
            return Kind.RETRY;
        }
    }

    /**
     * Canceled by the handler.
     *
     * @param reason {@code CANCELED} if none was given
     */
    record Canceled(String reason) implements JobOutcome {
        public Canceled {
            reason = Text.isBlank(reason) ? "CANCELED" : StorableValues.message(reason);
        }

        @Override
        public Kind kind() {
            return Kind.CANCELED;
        }
    }

    /**
     * Part of the work is done: the attempt succeeds, and the job continues in its next run.
     *
     * @param payload payload of the next run, or null to keep the current one
     * @param checkpoint checkpoint of the next run, or null to keep the last one saved
     */
    record Continue(@Nullable Payload payload, @Nullable Payload checkpoint, Duration delay) implements JobOutcome {
        /**
         * @throws InvalidRequestException with {@code job.invalid_continuation_delay} if the delay is negative or too
         *     long
         */
        public Continue {
            delay = StorableValues.delay(delay, ErrorCode.INVALID_CONTINUATION_DELAY, "continuation delay");
        }

        /**
         * Returns a copy with a checkpoint for the next run.
         *
         * @param checkpoint {@code Json}, or an object that the codec encodes; null is stored as the JSON value
         *     {@code null}
         */
        public Continue withCheckpoint(@Nullable Object checkpoint) {
            return new Continue(payload, Payload.of(checkpoint), delay);
        }

        @Override
        public Kind kind() {
            return Kind.CONTINUE;
        }
    }

    /**
     * The job is released and runs again later.
     *
     * @param delay minimum wait
     * @param until time of the next attempt, or null to wait for the delay only
     */
    record Snooze(Duration delay, @Nullable Instant until) implements JobOutcome {
        private static final Duration SHORTEST = Duration.ofMillis(100);

        /**
         * Waits for the delay only.
         *
         * @throws InvalidRequestException with {@code job.invalid_delay} if the delay is not positive or too long
         */
        public Snooze(Duration delay) {
            this(delay, null);
        }

        /**
         * @throws InvalidRequestException with {@code job.invalid_delay} if the delay is not positive, or a value is
         *     too long
         */
        public Snooze {
            if (delay.isZero()) {
                throw new InvalidRequestException(
                        ErrorCode.INVALID_DELAY,
                        "The snooze has a delay of zero: use a positive delay, or use continueNow().");
            }
            delay = StorableValues.delay(delay, ErrorCode.INVALID_DELAY, "snooze");
            until = until == null || until.isBefore(StorableValues.EARLIEST)
                    ? null
                    : StorableValues.instant(until, ErrorCode.INVALID_DELAY, "end of the snooze");
        }

        @Override
        public Kind kind() {
            return Kind.SNOOZE;
        }
    }
}

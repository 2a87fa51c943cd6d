package io.runledger.model.run;

import io.runledger.model.error.ErrorCode;
import io.runledger.model.error.InvalidRequestException;
import io.runledger.model.id.Text;
import io.runledger.model.json.Json;
import io.runledger.model.json.Payload;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * How a handler wants its attempt to end. Expected endings are values; whatever is thrown instead becomes a failure through
 * {@link JobFailure#of(Throwable)}. The outcome is written once, under the lease: if the lease was lost, nothing is written.
 */
public sealed interface JobOutcome {
    /** Which of the outcomes it is. */
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

    /**
     * Which outcome it is.
     *
     * @return a constant to switch on
     */
    Kind kind();

    /**
     * Done, with nothing to keep.
     *
     * @return the outcome
     */
    static Succeeded succeeded() {
        return new Succeeded(null);
    }

    /**
     * Done, with an output that dependents and readers get.
     *
     * @param output what the codec can encode, or {@code Json}; null is kept as the JSON value {@code null}
     * @return the outcome
     */
    static Succeeded succeeded(@Nullable Object output) {
        return new Succeeded(Payload.of(output));
    }

    /**
     * Failed for good; the job becomes a dead letter.
     *
     * @param code a stable word for the cause
     * @param message what happened, for people; null counts as none
     * @return the outcome
     * @throws InvalidRequestException with {@code request.invalid} for a code that cannot be stored
     */
    static Failed failed(String code, @Nullable String message) {
        return failed(JobFailure.terminal(code, message));
    }

    /**
     * Failed; the failure's kind and the retry policy decide what follows.
     *
     * @param failure how and why
     * @return the outcome
     */
    static Failed failed(JobFailure failure) {
        return new Failed(failure);
    }

    /**
     * Failed; try again when the retry policy says.
     *
     * @param code a stable word for the cause
     * @param message what happened, for people; null counts as none
     * @return the outcome
     * @throws InvalidRequestException with {@code request.invalid} for a code that cannot be stored
     */
    static Retry retry(String code, @Nullable String message) {
        return new Retry(JobFailure.retryable(code, message), null);
    }

    /**
     * Failed; try again when the retry policy says, but not before a span has passed. Zero bounds nothing.
     *
     * @param delay the shortest wait, rounded up to the millisecond
     * @param code a stable word for the cause
     * @param message what happened, for people; null counts as none
     * @return the outcome
     * @throws InvalidRequestException with {@code job.invalid_retry_timing} for a delay that is negative or too long
     */
    static Retry retryAfter(Duration delay, String code, @Nullable String message) {
        return new Retry(JobFailure.retryable(code, message), NotBefore.after(delay));
    }

    /**
     * Failed; try again when the retry policy says, but not before an instant. An instant in the past bounds nothing.
     *
     * @param instant the earliest time, rounded up to the microsecond
     * @param code a stable word for the cause
     * @param message what happened, for people; null counts as none
     * @return the outcome
     * @throws InvalidRequestException with {@code job.invalid_retry_timing} for an instant past PostgreSQL's range
     */
    static Retry retryAt(Instant instant, String code, @Nullable String message) {
        return new Retry(JobFailure.retryable(code, message), NotBefore.at(instant));
    }

    /**
     * Called off by the handler itself: no longer wanted, and not a failure.
     *
     * @param reason why, for people; blank or null counts as {@code CANCELED}
     * @return the outcome
     */
    static Canceled canceled(@Nullable String reason) {
        return new Canceled(reason == null ? "" : reason);
    }

    /**
     * This slice is done; run the job again at once with the payload it has.
     *
     * @return the outcome
     */
    static Continue continueNow() {
        return new Continue(null, null, Duration.ZERO);
    }

    /**
     * This slice is done; run the job again at once with another payload.
     *
     * @param payload what the codec can encode, or {@code Json}; null is kept as the JSON value {@code null}
     * @return the outcome
     */
    static Continue continueNow(@Nullable Object payload) {
        return new Continue(Payload.of(payload), null, Duration.ZERO);
    }

    /**
     * This slice is done; run the job again after a delay with the payload it has.
     *
     * @param delay zero or more, rounded up to the microsecond
     * @return the outcome
     * @throws InvalidRequestException with {@code job.invalid_continuation_delay} for a delay that is negative or too long
     */
    static Continue continueAfter(Duration delay) {
        return new Continue(null, null, delay);
    }

    /**
     * This slice is done; run the job again after a delay with another payload.
     *
     * @param delay zero or more, rounded up to the microsecond
     * @param payload what the codec can encode, or {@code Json}; null is kept as the JSON value {@code null}
     * @return the outcome
     * @throws InvalidRequestException with {@code job.invalid_continuation_delay} for a delay that is negative or too long
     */
    static Continue continueAfter(Duration delay, @Nullable Object payload) {
        return new Continue(Payload.of(payload), null, delay);
    }

    /**
     * Not yet: give the attempt back unspent and come again later. Nothing counts as failed, and there is no limit.
     *
     * @param delay more than zero, rounded up to the microsecond
     * @return the outcome
     * @throws InvalidRequestException with {@code job.invalid_delay} for a delay that is not positive or too long
     */
    static Snooze snooze(Duration delay) {
        return new Snooze(delay);
    }

    /**
     * Not yet: give the attempt back unspent and come again at an instant, by the database's clock. One that has passed there, but
     * not by the handler's own clock, is answered with a tenth of a second.
     *
     * @param instant when to come again, rounded up to the microsecond
     * @return the outcome
     * @throws InvalidRequestException with {@code job.invalid_delay} for an instant past PostgreSQL's range
     */
    static Snooze snoozeUntil(Instant instant) {
        return new Snooze(Snooze.SHORTEST, instant);
    }

    /**
     * Done.
     *
     * @param output what to keep, or null for nothing
     * @param contributions what is added to the context of the workflow run, by name; of a job that is no step nothing is
     */
    record Succeeded(@Nullable Payload output, Map<String, Payload> contributions) implements JobOutcome {
        /**
         * Copies the contributions.
         *
         * @param output see the record
         * @param contributions see the record
         */
        public Succeeded {
            contributions = Map.copyOf(contributions);
        }

        /**
         * Done, with nothing to add to the run's context.
         *
         * @param output see the record
         */
        public Succeeded(@Nullable Payload output) {
            this(output, Map.of());
        }

        /**
         * The same with something for the run's context, where every later step, and every condition that is judged later, finds
         * it. It is written together with the success or not at all. What becomes of a name that the context has already is for
         * the workflow to say; without effect for a job that is no step.
         *
         * @param name a visible name
         * @param value what the codec can encode, or {@code Json}; null is kept as the JSON value {@code null}
         * @return a copy
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

    /**
     * Failed; the failure's kind and the retry policy decide what follows.
     *
     * @param failure how and why
     */
    record Failed(JobFailure failure) implements JobOutcome {
        /**
         * Checks that there is a failure.
         *
         * @param failure see the record
         */
        public Failed {
            Objects.requireNonNull(failure, "failure");
        }

        /**
         * The same with something for programs to read.
         *
         * @param details any JSON; stored beside the message
         * @return a copy
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
     * Failed, and the handler wants another try. The policy still decides: attempts may be used up, or a rule may give up.
     *
     * @param failure why; of kind {@link FailureKind#RETRYABLE}
     * @param notBefore the earliest time, or null to leave it to the policy
     */
    record Retry(JobFailure failure, @Nullable NotBefore notBefore) implements JobOutcome {
        /**
         * Checks the failure.
         *
         * @param failure see the record
         * @param notBefore see the record
         * @throws InvalidRequestException with {@code request.invalid} for a failure of another kind
         */
        public Retry {
            if (failure.kind() != FailureKind.RETRYABLE) {
                throw new InvalidRequestException(
                        ErrorCode.INVALID_ARGUMENT,
                        "A failure of kind " + failure.kind()
                                + " is no wish for a retry: use failed(failure) instead.");
            }
        }

        /**
         * The same with something for programs to read.
         *
         * @param details any JSON; stored beside the message
         * @return a copy
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
     * Called off by the handler itself.
     *
     * @param reason why; {@code CANCELED} when none was given
     */
    record Canceled(String reason) implements JobOutcome {
        /**
         * Makes the reason fit a row.
         *
         * @param reason see the record
         */
        public Canceled {
            reason = Text.isBlank(reason) ? "CANCELED" : Bounds.message(reason);
        }

        @Override
        public Kind kind() {
            return Kind.CANCELED;
        }
    }

    /**
     * A slice is done and more remains: the attempt counts as a success and the same job runs again as its next run.
     *
     * @param payload the next run's payload, or null to keep the payload
     * @param checkpoint the next run's checkpoint, or null to keep the last one saved
     * @param delay how long to wait
     */
    record Continue(@Nullable Payload payload, @Nullable Payload checkpoint, Duration delay) implements JobOutcome {
        /**
         * Checks and rounds the delay.
         *
         * @param payload see the record
         * @param checkpoint see the record
         * @param delay see the record
         * @throws InvalidRequestException with {@code job.invalid_continuation_delay} for a delay that is negative or too long
         */
        public Continue {
            delay = Bounds.delay(delay, ErrorCode.INVALID_CONTINUATION_DELAY, "continuation delay");
        }

        /**
         * The same with a checkpoint for the next run.
         *
         * @param checkpoint what the codec can encode, or {@code Json}; null is kept as the JSON value {@code null}
         * @return a copy
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
     * Not yet.
     *
     * @param delay how long to wait at least
     * @param until when to come again, or null to wait for the delay alone
     */
    record Snooze(Duration delay, @Nullable Instant until) implements JobOutcome {
        private static final Duration SHORTEST = Duration.ofMillis(100);

        /**
         * Waits for a delay alone.
         *
         * @param delay how long to wait
         * @throws InvalidRequestException with {@code job.invalid_delay} for a delay that is not positive or too long
         */
        public Snooze(Duration delay) {
            this(delay, null);
        }

        /**
         * Checks and rounds delay and instant.
         *
         * @param delay see the record
         * @param until see the record
         * @throws InvalidRequestException with {@code job.invalid_delay} for a delay that is not positive, or what is too long
         */
        public Snooze {
            if (delay.isZero()) {
                throw new InvalidRequestException(
                        ErrorCode.INVALID_DELAY,
                        "A snooze of zero would spin: give a positive delay, or use continueNow().");
            }
            delay = Bounds.delay(delay, ErrorCode.INVALID_DELAY, "snooze");
            until = until == null || until.isBefore(Bounds.EARLIEST)
                    ? null
                    : Bounds.instant(until, ErrorCode.INVALID_DELAY, "end of the snooze");
        }

        @Override
        public Kind kind() {
            return Kind.SNOOZE;
        }
    }
}

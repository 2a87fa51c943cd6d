package io.runledger.model.policy;

import io.runledger.model.json.Payload;
import io.runledger.model.run.JobFailure;
import io.runledger.model.run.NotBefore;
import io.runledger.model.state.AttemptOutcome;
import io.runledger.model.state.DeadLetterReason;
import io.runledger.model.state.RetryTimingSource;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What becomes of a job after an attempt. */
public sealed interface Verdict {
    /** Which of the verdicts it is. */
    enum Kind {
        /** {@link Succeed}. */
        SUCCEED,
        /** {@link Retry}. */
        RETRY,
        /** {@link DeadLetter}. */
        DEAD_LETTER,
        /** {@link Continue}. */
        CONTINUE,
        /** {@link Snooze}. */
        SNOOZE,
        /** {@link Cancel}. */
        CANCEL
    }

    /**
     * Which verdict it is.
     *
     * @return a constant to switch on
     */
    Kind kind();

    /**
     * What the attempt's row says.
     *
     * @return how the attempt ended
     */
    AttemptOutcome attemptOutcome();

    /**
     * The job is done.
     *
     * @param output what to keep, or null for nothing
     * @param contributions what is added to the context of the workflow run, by name
     */
    record Succeed(@Nullable Payload output, Map<String, Payload> contributions) implements Verdict {
        /**
         * Copies the contributions.
         *
         * @param output see the record
         * @param contributions see the record
         */
        public Succeed {
            contributions = Map.copyOf(contributions);
        }

        /**
         * The job is done and adds nothing to the run's context.
         *
         * @param output see the record
         */
        public Succeed(@Nullable Payload output) {
            this(output, Map.of());
        }

        @Override
        public Kind kind() {
            return Kind.SUCCEED;
        }

        @Override
        public AttemptOutcome attemptOutcome() {
            return AttemptOutcome.SUCCEEDED;
        }
    }

    /**
     * The job goes back to the queue and its attempt is spent.
     *
     * @param failure how and why the attempt failed
     * @param delay the policy's wait; recorded also when the handler's bound is later
     * @param notBefore the handler's bound, or null; it can only lengthen the wait
     */
    record Retry(
            JobFailure failure, Duration delay, @Nullable NotBefore notBefore) implements Verdict {
        /**
         * When the job is due again.
         *
         * @param base the moment the failure is written, by the database's clock
         * @return the later of policy and bound
         */
        public Instant nextRunAt(Instant base) {
            Instant byPolicy = base.plus(delay);
            Instant byHandler = notBefore == null ? byPolicy : notBefore.from(base);
            return byHandler.isAfter(byPolicy) ? byHandler : byPolicy;
        }

        /**
         * Who chose that time.
         *
         * @param base the moment the failure is written, by the database's clock
         * @return the handler only if its bound is later than the policy's time
         */
        public RetryTimingSource timing(Instant base) {
            return nextRunAt(base).isAfter(base.plus(delay))
                    ? RetryTimingSource.HANDLER_NOT_BEFORE
                    : RetryTimingSource.POLICY;
        }

        @Override
        public Kind kind() {
            return Kind.RETRY;
        }

        @Override
        public AttemptOutcome attemptOutcome() {
            return failure.kind().outcome();
        }
    }

    /**
     * The job gives up and waits for an operator.
     *
     * @param failure how and why the attempt failed
     * @param reason why there is no further attempt
     */
    record DeadLetter(JobFailure failure, DeadLetterReason reason) implements Verdict {
        @Override
        public Kind kind() {
            return Kind.DEAD_LETTER;
        }

        @Override
        public AttemptOutcome attemptOutcome() {
            return failure.kind().outcome();
        }
    }

    /**
     * The job goes back to the queue as its next run, with a fresh budget of attempts.
     *
     * @param payload the next run's payload, or null to keep the payload
     * @param checkpoint the next run's checkpoint, or null to keep the last one saved
     * @param delay how long to wait
     * @param move from which step to which a machine goes with it, or null for a job that is none
     */
    record Continue(
            @Nullable Payload payload,
            @Nullable Payload checkpoint,
            Duration delay,
            @Nullable Move move) implements Verdict {
        /**
         * From which step of a machine to which.
         *
         * @param from the step that ended
         * @param to the step that follows
         */
        public record Move(String from, String to) {}

        /**
         * A continuation of a job that is no machine.
         *
         * @param payload see the record
         * @param checkpoint see the record
         * @param delay see the record
         */
        public Continue(@Nullable Payload payload, @Nullable Payload checkpoint, Duration delay) {
            this(payload, checkpoint, delay, null);
        }

        /**
         * The same as a machine's move.
         *
         * @param from the step that ended
         * @param to the step that follows
         * @return a copy
         */
        public Continue moving(String from, String to) {
            return new Continue(payload, checkpoint, delay, new Move(from, to));
        }

        @Override
        public Kind kind() {
            return Kind.CONTINUE;
        }

        @Override
        public AttemptOutcome attemptOutcome() {
            return AttemptOutcome.SUCCEEDED;
        }
    }

    /**
     * The job goes back to the queue and its attempt is not spent.
     *
     * @param delay how long to wait at least
     * @param until when the job is due again, or null to wait for the delay alone
     */
    record Snooze(Duration delay, @Nullable Instant until) implements Verdict {
        /**
         * Waits for a delay alone.
         *
         * @param delay how long to wait
         */
        public Snooze(Duration delay) {
            this(delay, null);
        }

        @Override
        public Kind kind() {
            return Kind.SNOOZE;
        }

        @Override
        public AttemptOutcome attemptOutcome() {
            return AttemptOutcome.INTERRUPTED;
        }
    }

    /**
     * The job is called off.
     *
     * @param reason why
     */
    record Cancel(String reason) implements Verdict {
        @Override
        public Kind kind() {
            return Kind.CANCEL;
        }

        @Override
        public AttemptOutcome attemptOutcome() {
            return AttemptOutcome.CANCELED;
        }
    }
}

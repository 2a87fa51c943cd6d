package io.runledger.model.lease;

import io.runledger.model.failure.AttemptOutcome;
import io.runledger.model.failure.JobFailure;
import io.runledger.model.handler.NotBefore;
import io.runledger.model.job.DeadLetterReason;
import io.runledger.model.job.Progress;
import io.runledger.model.json.Payload;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** How a job proceeds after an attempt. */
public sealed interface Verdict {
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
        CANCEL,
        /** {@link Release}. */
        RELEASE
    }

    Kind kind();

    /** The outcome stored with the attempt. */
    AttemptOutcome attemptOutcome();

    /**
     * The job succeeded.
     *
     * @param output stored output, or null for none
     * @param contributions values added to the context of the workflow run, by name
     * @param progress final counts; an unknown count keeps the reported one
     */
    record Succeed(@Nullable Payload output, Map<String, Payload> contributions, Progress progress) implements Verdict {
        public Succeed {
            contributions = Map.copyOf(contributions);
        }

        /** A success that keeps the reported counts. */
        public Succeed(@Nullable Payload output, Map<String, Payload> contributions) {
            this(output, contributions, Progress.NONE);
        }

        /** A success that adds nothing to the run's context and keeps the reported counts. */
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
     * The job returns to the queue and the attempt counts.
     *
     * @param delay wait chosen by the retry policy; recorded even if {@code notBefore} is later
     * @param notBefore earliest time requested by the handler, or null; can only lengthen the wait
     */
    record Retry(
            JobFailure failure, Duration delay, @Nullable NotBefore notBefore) implements Verdict {
        @Override
        public Kind kind() {
            return Kind.RETRY;
        }

        @Override
        public AttemptOutcome attemptOutcome() {
            return failure.kind().outcome();
        }
    }

    /** The job becomes a dead letter and waits for an operator. */
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
     * The job returns to the queue as its next run. Attempts are counted from the beginning.
     *
     * @param payload payload of the next run, or null to keep the current one
     * @param checkpoint checkpoint of the next run, or null to keep the last one saved
     * @param move transition of a state machine, or null if the job is not a machine
     * @param progress counts with which the next run begins; an unknown count keeps the reported one
     */
    record Continue(
            @Nullable Payload payload,
            @Nullable Payload checkpoint,
            Duration delay,
            @Nullable Move move,
            Progress progress)
            implements Verdict {
        /** A transition between two steps of a machine. */
        public record Move(String from, String to) {}

        /** A continuation of a job that is not a machine. */
        public Continue(@Nullable Payload payload, @Nullable Payload checkpoint, Duration delay) {
            this(payload, checkpoint, delay, null, Progress.NONE);
        }

        /** Returns a copy that records a transition of a machine. */
        public Continue moving(String from, String to) {
            return new Continue(payload, checkpoint, delay, new Move(from, to), progress);
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
     * The job returns to the queue and the attempt does not count.
     *
     * @param delay minimum wait
     * @param until time at which the job is due again, or null to wait for the delay only
     */
    record Snooze(Duration delay, @Nullable Instant until) implements Verdict {
        /** Waits for the delay only. */
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

    /** The job is canceled. */
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

    /**
     * The job returns to the queue at once and the attempt does not count, because the worker stops or cannot start it.
     *
     * @param reason stored with the attempt
     */
    record Release(String reason) implements Verdict {
        @Override
        public Kind kind() {
            return Kind.RELEASE;
        }

        @Override
        public AttemptOutcome attemptOutcome() {
            return AttemptOutcome.INTERRUPTED;
        }
    }
}

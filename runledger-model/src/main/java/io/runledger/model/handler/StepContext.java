package io.runledger.model.handler;

import io.runledger.model.error.ErrorCode;
import io.runledger.model.error.InvalidRequestException;
import io.runledger.model.error.LeaseLostException;
import java.sql.Connection;
import java.time.Duration;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The context of one attempt of a machine step, with the methods for transitions. The step value is the complete state
 * of the machine: pass all data that the next step needs with that step.
 *
 * <p>Every transition starts the next run of the job, so attempts are counted per step. A step can also return other
 * outcomes ({@link JobOutcome#snooze}, {@link JobOutcome#failed(String, String)}, {@link JobOutcome#canceled}).
 */
public interface StepContext<S, T extends S> extends JobContext<T> {
    /** The current step. */
    default T step() {
        return payload();
    }

    /** Goes immediately to another step, or to the same step with other values. */
    default JobOutcome.Continue goTo(S next) {
        return JobOutcome.continueNow(Objects.requireNonNull(next, "next"));
    }

    /**
     * Goes to another step after a delay. During the delay the machine occupies no slot of a worker and survives
     * restarts.
     *
     * @param delay zero or more, rounded up to the microsecond
     * @throws InvalidRequestException with {@code job.invalid_continuation_delay} if the delay is negative or too long
     */
    default JobOutcome.Continue goTo(S next, Duration delay) {
        return JobOutcome.continueAfter(delay, Objects.requireNonNull(next, "next"));
    }

    /** Ends the machine. */
    default JobOutcome.Succeeded done() {
        return JobOutcome.succeeded();
    }

    /**
     * Ends the machine with an output.
     *
     * @param output {@code Json}, or an object that the codec encodes; null is stored as the JSON value {@code null}
     */
    default JobOutcome.Succeeded done(@Nullable Object output) {
        return JobOutcome.succeeded(output);
    }

    /**
     * Writes the end of the machine in a transaction of the step handler, as
     * {@link JobContext#settleIn(Connection, Object)} does for other jobs: call it last and then commit. A transition
     * to another step cannot be written this way; return it from the handler.
     *
     * @param connection connection to the ledger's database with auto-commit off; it is not committed, rolled back or
     *     closed
     * @param done {@link #done()} or {@link #done(Object)}, with contributions if needed
     * @throws InvalidRequestException with {@code job.invalid_output} or {@code workflow.invalid_context} if a value
     *     cannot be encoded; with {@code request.invalid} if the connection is in auto-commit mode
     * @throws LeaseLostException if this attempt no longer holds the lease; roll back in that case
     */
    void doneIn(Connection connection, JobOutcome.Succeeded done);

    /**
     * Not supported, because it would end the machine regardless of the returned outcome. Return {@link #goTo(Object)},
     * or end the machine with {@link #doneIn}.
     *
     * @throws InvalidRequestException always, with {@code job.settled_machine}; the machine becomes a dead letter
     */
    @Override
    default void settleIn(Connection connection, @Nullable Object output) {
        throw new InvalidRequestException(
                ErrorCode.SETTLED_MACHINE,
                "settleIn would end the machine and discard a later goTo: return goTo(next) to continue, or end the "
                        + "machine in the transaction with doneIn(connection, done()).");
    }

    /**
     * Not supported; see {@link #settleIn(Connection, Object)}.
     *
     * @throws InvalidRequestException always, with {@code job.settled_machine}; the machine becomes a dead letter
     */
    @Override
    default void settleIn(Connection connection) {
        settleIn(connection, null);
    }
}

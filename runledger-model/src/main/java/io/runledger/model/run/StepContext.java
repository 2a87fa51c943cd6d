package io.runledger.model.run;

import io.runledger.model.error.ErrorCode;
import io.runledger.model.error.InvalidRequestException;
import io.runledger.model.error.LeaseLostException;
import java.sql.Connection;
import java.time.Duration;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * One attempt at one step of a machine, as the step's function sees it, and the words for where the machine goes from here. The
 * step is the machine's whole state: what the next step needs to know, it must be given.
 *
 * <p>Every going on begins a run of its own, so attempts count anew. What else a job can say ({@link JobOutcome#snooze}, {@link
 * JobOutcome#failed(String, String)}, {@link JobOutcome#canceled}) a step can say too.
 *
 * @param <S> all steps of the machine
 * @param <T> this step
 */
public interface StepContext<S, T extends S> extends JobContext<T> {
    /**
     * Where the machine stands.
     *
     * @return the step with its stored values
     */
    default T step() {
        return payload();
    }

    /**
     * Goes to another step at once, or to the same one with other values.
     *
     * @param next the step that follows
     * @return the outcome to end the function with
     */
    default JobOutcome.Continue goTo(S next) {
        return JobOutcome.continueNow(Objects.requireNonNull(next, "next"));
    }

    /**
     * Goes to another step after a delay. Meanwhile the machine is a row that waits: it takes no worker's place and survives them.
     *
     * @param next the step that follows
     * @param delay zero or more, rounded up to the microsecond
     * @return the outcome to end the function with
     * @throws InvalidRequestException with {@code job.invalid_continuation_delay} for a delay that is negative or too long
     */
    default JobOutcome.Continue goTo(S next, Duration delay) {
        return JobOutcome.continueAfter(delay, Objects.requireNonNull(next, "next"));
    }

    /**
     * The machine has come to its end.
     *
     * @return the outcome to end the function with
     */
    default JobOutcome.Succeeded done() {
        return JobOutcome.succeeded();
    }

    /**
     * The machine has come to its end, with an output.
     *
     * @param output what the codec can encode, or {@code Json}; null is kept as the JSON value {@code null}
     * @return the outcome to end the function with
     */
    default JobOutcome.Succeeded done(@Nullable Object output) {
        return JobOutcome.succeeded(output);
    }

    /**
     * Writes the machine's end into a transaction of the function's own, as {@link JobContext#settleIn(Connection, Object)} does for
     * other jobs: call it last, then commit. Only the end can be written so; every other move is made by returning it.
     *
     * @param connection a connection to the ledger's database with auto-commit off; it is neither committed, rolled back nor
     *     closed here
     * @param done {@link #done()} or {@link #done(Object)}, with what it contributes
     * @throws InvalidRequestException with {@code job.invalid_output} or {@code workflow.invalid_context} when something cannot be
     *     encoded, with {@code request.invalid} when the connection is in auto-commit mode
     * @throws LeaseLostException when the machine is no longer this attempt's; roll back then
     */
    void doneIn(Connection connection, JobOutcome.Succeeded done);

    /**
     * Refused: it would end the machine, whatever the function returns afterwards. Return {@link #goTo(Object)}, or end the machine
     * with {@link #doneIn}.
     *
     * @throws InvalidRequestException with {@code job.settled_machine}, always; the machine is parked with it
     */
    @Override
    default void settleIn(Connection connection, @Nullable Object output) {
        throw new InvalidRequestException(
                ErrorCode.SETTLED_MACHINE,
                "settleIn would end the machine, and a goTo after it would be lost: return goTo(next) to go on, or end the "
                        + "machine in the transaction with doneIn(connection, done()).");
    }

    /**
     * Refused, as {@link #settleIn(Connection, Object)} is.
     *
     * @throws InvalidRequestException with {@code job.settled_machine}, always; the machine is parked with it
     */
    @Override
    default void settleIn(Connection connection) {
        settleIn(connection, null);
    }
}

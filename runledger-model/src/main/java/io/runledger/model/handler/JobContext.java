package io.runledger.model.handler;

import io.runledger.model.error.ConflictException;
import io.runledger.model.error.InvalidRequestException;
import io.runledger.model.error.LeaseLostException;
import io.runledger.model.job.JobStage;
import io.runledger.model.workflow.Input;
import java.lang.reflect.Type;
import java.sql.Connection;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * The context of one attempt, passed to the handler. Valid while the handler runs; thread-safe.
 *
 * <p>{@link #progress}, {@link #stage} and {@link #saveCheckpoint} write to the ledger in their own transaction and
 * block until it is committed. They are fenced by the lease: if the lease is lost, they change nothing and throw
 * {@link LeaseLostException}, and the outcome of the handler is ignored. They do not extend the lease or the timeout.
 * {@link #settleIn(Connection)} writes in a transaction of the handler. The first call of {@link #input},
 * {@link #inputs} or {@link #output} and every call of {@link #runContext} read the ledger. All other methods use no
 * database connection.
 */
public interface JobContext<P extends @Nullable Object> {
    UUID jobId();

    String jobType();

    /** The organization of the job, or null for a global job. */
    @Nullable
    UUID organizationId();

    /** The number of the run, from 1. Each requeue or continuation starts the next run. */
    int runNumber();

    /**
     * The number of the attempt within the run, from 1. Released attempts are included here, but do not count toward
     * {@link #maxAttempts()}.
     */
    int attempt();

    /** The maximum number of attempts at the time of the claim. An operator may have changed it since. */
    int maxAttempts();

    String workerId();

    /** The decoded payload; null only for the JSON value {@code null}. */
    P payload();

    /**
     * The headers of the job: those given at the enqueue and, for a step of a workflow, those of the run. Every attempt
     * has the same headers.
     *
     * @return an unmodifiable map; empty if there are none
     */
    Map<String, String> headers();

    /**
     * The last checkpoint that this attempt or an earlier one saved.
     *
     * @param type {@code Json} returns the checkpoint undecoded
     * @return empty if there is none or if it is the JSON value {@code null}
     * @throws InvalidRequestException with {@code job.invalid_checkpoint} if it cannot be decoded
     */
    default <T> Optional<T> checkpoint(Class<T> type) {
        return checkpoint((Type) type);
    }

    /**
     * The last checkpoint that this attempt or an earlier one saved, as a generic type. The caller must make sure that
     * {@code T} and the type are the same.
     *
     * @param type for example a {@code ParameterizedType}
     * @return empty if there is none or if it is the JSON value {@code null}
     * @throws InvalidRequestException with {@code job.invalid_checkpoint} if it cannot be decoded
     */
    <T> Optional<T> checkpoint(Type type);

    /**
     * Writes the progress, for operators. Fenced by the lease.
     *
     * @param done completed units; not negative and at most {@code total}
     * @param total total units
     * @throws InvalidRequestException with {@code job.invalid_progress} if a count is negative or {@code done} exceeds
     *     {@code total}
     * @throws LeaseLostException if this attempt no longer holds the lease
     */
    void progress(long done, long total);

    /**
     * Writes the stage of the job and records the change as an event. Fenced by the lease.
     *
     * @throws LeaseLostException if this attempt no longer holds the lease
     */
    void stage(JobStage stage);

    /**
     * Saves the state from which the next attempt resumes. Replaces the previous checkpoint. Fenced by the lease.
     *
     * @param checkpoint {@code Json}, or an object that the codec encodes; null is stored as the JSON value
     *     {@code null}
     * @throws InvalidRequestException with {@code job.invalid_checkpoint} if it cannot be encoded
     * @throws LeaseLostException if this attempt no longer holds the lease
     */
    void saveCheckpoint(@Nullable Object checkpoint);

    /**
     * Writes a line with run and attempt to the job's log in the ledger. Not fenced: an attempt that lost its lease can
     * still log. Accepts any message: characters that cannot be stored are replaced, and blank lines are dropped.
     */
    void log(LogLevel level, String message);

    /** The time of the claim, by the database's clock, which also determines due times. */
    Instant claimedAt();

    /**
     * The time of the first claim of this run, by the database's clock. The limit of a {@link Deferral} counts from
     * here.
     */
    Instant startedAt();

    /**
     * Defers the job until an instant, by the database's clock. Before the instant, it returns the outcome that the
     * handler must return: the job is released, occupies no slot of a worker, and the handler starts again at the
     * instant. A deferral does not count as an attempt.
     *
     * @return the outcome to return, or null if the instant has passed
     * @throws InvalidRequestException with {@code job.invalid_delay} if the instant is after the range of PostgreSQL
     */
    default @Nullable JobOutcome deferUntil(Instant instant) {
        return claimedAt().isBefore(instant) ? JobOutcome.snoozeUntil(instant) : null;
    }

    /**
     * Defers the job until a condition is met. If it is not met, it returns the outcome that the handler must return:
     * the job is released, occupies no slot of a worker, and the handler starts again at the next check. A deferral
     * does not count as an attempt.
     *
     * @param condition its exceptions are treated as exceptions of the handler
     * @return the outcome to return, or null to proceed
     * @throws Exception thrown by the condition
     */
    default @Nullable JobOutcome deferUntil(Deferral deferral, Deferral.Condition condition) throws Exception {
        return condition.isMet() ? null : deferral.unmet(this);
    }

    /** The remaining time until the timeout; zero or more. */
    Duration remaining();

    /** The cancellation of this attempt, the same object for each call. */
    Cancellation cancellation();

    /**
     * Whether the handler should stop because of a cancellation, a timeout, a lost lease or a shutdown. Blocking loops
     * should check it regularly.
     */
    default boolean isCancelled() {
        return cancellation().isRequested();
    }

    /**
     * The output of the step that the workflow binds to this input with {@code uses(step, input)}.
     *
     * @return the output of the job, or the output with which the gate was completed
     * @throws InvalidRequestException with {@code workflow.input_unavailable} if the job belongs to no step, if no step
     *     or several steps are bound to the input, or if the bound step has no output; with {@code job.invalid_output}
     *     if the output cannot be decoded
     */
    <T> T input(Input<T> input);

    /**
     * The outputs of all steps that the workflow binds to this input, for example after a fan-out.
     *
     * @return one output per step, in the order of declaration; empty if no step is bound
     * @throws InvalidRequestException with {@code workflow.input_unavailable} if the job belongs to no step or a bound
     *     step has no output; with {@code job.invalid_output} if an output cannot be decoded
     */
    <T> List<T> inputs(Input<T> input);

    /**
     * Reads the output of a prerequisite step by its key. {@link #input} does not need a key.
     *
     * @param stepKey a step that this job's step waits for
     * @param type {@code Json} returns the output undecoded
     * @return empty if the step did not succeed, has no output, or its output is the JSON value {@code null}
     * @throws InvalidRequestException with {@code request.invalid} if the job belongs to no step or its step does not
     *     wait for that step; with {@code job.invalid_output} if the output cannot be decoded
     */
    default <T> Optional<T> output(String stepKey, Class<T> type) {
        return output(stepKey, (Type) type);
    }

    /**
     * Reads the output of a prerequisite step as a generic type. The caller must make sure that {@code T} and the type
     * are the same.
     *
     * @param stepKey a step that this job's step waits for
     * @param type for example a {@code ParameterizedType}
     * @return empty if the step did not succeed, has no output, or its output is the JSON value {@code null}
     * @throws InvalidRequestException with {@code request.invalid} if the job belongs to no step or its step does not
     *     wait for that step; with {@code job.invalid_output} if the output cannot be decoded
     */
    <T> Optional<T> output(String stepKey, Type type);

    /**
     * Reads the current value from the context of the workflow run: set at the start of the run, or contributed by a
     * step that succeeded. Concurrent steps may change it. Every call reads the ledger.
     *
     * @param type {@code Json} returns the value undecoded
     * @return empty if there is no value, if it is the JSON value {@code null}, or if the job belongs to no step
     * @throws InvalidRequestException with {@code workflow.invalid_context} if it cannot be decoded
     */
    default <T> Optional<T> runContext(String name, Class<T> type) {
        return runContext(name, (Type) type);
    }

    /**
     * Reads the current value from the context of the workflow run as a generic type. The caller must make sure that
     * {@code T} and the type are the same.
     *
     * @param type for example a {@code ParameterizedType}
     * @return empty if there is no value, if it is the JSON value {@code null}, or if the job belongs to no step
     * @throws InvalidRequestException with {@code workflow.invalid_context} if it cannot be decoded
     */
    <T> Optional<T> runContext(String name, Type type);

    /**
     * Writes the success of the job in a transaction of the handler, so that it is committed atomically with the other
     * writes of the handler. Call it last and then commit: the job's row is locked until then. The outcome that the
     * handler returns afterwards is ignored. To contribute to the context of the workflow run, pass
     * {@code JobOutcome.succeeded(output).contributing(name, value)} as the output.
     *
     * <p>If the transaction is rolled back, the job is not settled. If the handler then throws, the exception is
     * handled as usual. If it returns normally, the attempt fails and is retried according to the retry policy.
     *
     * @param connection connection to the ledger's database with auto-commit off; it is not committed, rolled back or
     *     closed
     * @param output output of the job, or a {@link JobOutcome.Succeeded} with contributions; null is stored as the JSON
     *     value {@code null}
     * @throws InvalidRequestException with {@code job.invalid_output} or {@code workflow.invalid_context} if a value
     *     cannot be encoded; with {@code request.invalid} if the connection is in auto-commit mode or another outcome
     *     is passed
     * @throws ConflictException with {@code workflow.context_conflict} if the workflow rejects a contribution; roll
     *     back in that case
     * @throws LeaseLostException if this attempt no longer holds the lease; roll back in that case
     */
    void settleIn(Connection connection, @Nullable Object output);

    /**
     * Like {@link #settleIn(Connection, Object)}, without an output.
     *
     * @param connection connection to the ledger's database with auto-commit off
     * @throws InvalidRequestException with {@code request.invalid} if the connection is in auto-commit mode
     * @throws LeaseLostException if this attempt no longer holds the lease; roll back in that case
     */
    void settleIn(Connection connection);
}

package io.runledger.model.run;

import io.runledger.model.error.ConflictException;
import io.runledger.model.error.InvalidRequestException;
import io.runledger.model.error.LeaseLostException;
import io.runledger.model.spec.Input;
import io.runledger.model.state.JobStage;
import java.lang.reflect.Type;
import java.sql.Connection;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * One attempt at one job, as its handler sees it. Valid while the handler runs; safe for use by any thread.
 *
 * <p>{@link #progress}, {@link #stage} and {@link #saveCheckpoint} write to the ledger at once, in a transaction of their
 * own, and block until it is committed. They are fenced by the lease: when it is lost they change nothing and throw {@link
 * LeaseLostException}, and whatever the handler returns after that is ignored. They do not extend the lease or the timeout.
 * {@link #settleIn(Connection)} writes in a transaction of the handler's. The first call of {@link #input}, {@link #inputs} or
 * {@link #output} reads the ledger, and so does every call of {@link #runContext}. Everything else answers from memory.
 *
 * @param <P> the payload
 */
public interface JobContext<P extends @Nullable Object> {
    /**
     * The job.
     *
     * @return its id
     */
    UUID jobId();

    /**
     * What kind of job it is.
     *
     * @return its type
     */
    String jobType();

    /**
     * Whose job it is.
     *
     * @return the organization, or null for a job that belongs to none
     */
    @Nullable
    UUID organizationId();

    /**
     * Which run of the job this is: one more after each requeue or continuation.
     *
     * @return 1 or more
     */
    int runNumber();

    /**
     * Which attempt of the run this is. Attempts given back count here, but not against {@link #maxAttempts()}.
     *
     * @return 1 or more
     */
    int attempt();

    /**
     * How many attempts may be spent, as known when the job was claimed; an operator may have changed it since.
     *
     * @return 1 or more
     */
    int maxAttempts();

    /**
     * Who runs it.
     *
     * @return the worker's id
     */
    String workerId();

    /**
     * What to do.
     *
     * @return the decoded payload; null only for the JSON value {@code null}
     */
    P payload();

    /**
     * Where an earlier attempt, or this one, left off.
     *
     * @param type what the checkpoint is decoded as; {@code Json} gives it undecoded
     * @param <T> what the checkpoint is decoded as
     * @return the last checkpoint saved; empty when there is none or when it is the JSON value {@code null}
     * @throws InvalidRequestException with {@code job.invalid_checkpoint} when it cannot be decoded
     */
    default <T> Optional<T> checkpoint(Class<T> type) {
        return checkpoint((Type) type);
    }

    /**
     * Where an earlier attempt, or this one, left off, as a generic type. The caller answers for {@code T} and the type being the
     * same.
     *
     * @param type what the checkpoint is decoded as, for example a {@code ParameterizedType}
     * @param <T> what the checkpoint is decoded as
     * @return the last checkpoint saved; empty when there is none or when it is the JSON value {@code null}
     * @throws InvalidRequestException with {@code job.invalid_checkpoint} when it cannot be decoded
     */
    <T> Optional<T> checkpoint(Type type);

    /**
     * Writes how much is done, for people who watch. Fenced by the lease.
     *
     * @param done units done; not negative and not above total
     * @param total units in all
     * @throws InvalidRequestException with {@code job.invalid_progress} for counts that make no sense
     * @throws LeaseLostException when the job is no longer this attempt's
     */
    void progress(long done, long total);

    /**
     * Writes the stage the job is in and journals the change. Fenced by the lease.
     *
     * @param stage the stage
     * @throws LeaseLostException when the job is no longer this attempt's
     */
    void stage(JobStage stage);

    /**
     * Writes where the next attempt should go on. Replaces the checkpoint before it. Fenced by the lease.
     *
     * @param checkpoint what the codec can encode, or {@code Json}; null is kept as the JSON value {@code null}
     * @throws InvalidRequestException with {@code job.invalid_checkpoint} when it cannot be encoded
     * @throws LeaseLostException when the job is no longer this attempt's
     */
    void saveCheckpoint(@Nullable Object checkpoint);

    /**
     * Writes a line to the job's log in the ledger, marked with run and attempt. Not fenced: an attempt that lost its lease may
     * still say what it did. Never throws for what the message holds: what cannot be stored is replaced, blank lines are dropped.
     *
     * @param level how much it matters
     * @param message the line
     */
    void log(LogLevel level, String message);

    /**
     * When this attempt was claimed, by the database's clock, which due times go by.
     *
     * @return the time of the claim
     */
    Instant claimedAt();

    /**
     * When the first attempt of this run was claimed, by the database's clock. What waits counts from here.
     *
     * @return the time of the run's first claim
     */
    Instant startedAt();

    /**
     * Asks whether it is too early. If so, the answer is the outcome to return: the job then takes no worker's place until the
     * instant has come, spends no attempt, and starts again from the top. The database's clock decides.
     *
     * @param instant when to go on
     * @return the outcome to return, or null once the instant has come
     * @throws InvalidRequestException with {@code job.invalid_delay} for an instant past PostgreSQL's range
     */
    default @Nullable JobOutcome deferUntil(Instant instant) {
        return claimedAt().isBefore(instant) ? JobOutcome.snoozeUntil(instant) : null;
    }

    /**
     * Asks a condition. If it is not met, the answer is the outcome to return: the job then takes no worker's place until it asks
     * again, spends no attempt, and starts again from the top, as often as the deferral says.
     *
     * @param deferral how often to ask, for how long, and what then
     * @param condition what to wait for; what it throws counts as the handler's
     * @return the outcome to return, or null to go on
     * @throws Exception what the condition throws
     */
    default @Nullable JobOutcome deferUntil(Deferral deferral, Deferral.Condition condition) throws Exception {
        return condition.isMet() ? null : deferral.unmet(this);
    }

    /**
     * What is left of the attempt's timeout.
     *
     * @return zero or more
     */
    Duration remaining();

    /**
     * Whether and why to stop, to poll or to hook into.
     *
     * @return the attempt's cancellation, the same object each time
     */
    Cancellation cancellation();

    /**
     * Whether to stop: canceled, timed out, fenced off or shutting down. Blocking loops should ask now and then.
     *
     * @return true once stopping was requested
     */
    default boolean isCancelled() {
        return cancellation().isRequested();
    }

    /**
     * The output of the step that this job's step uses as the input, as its workflow says with {@code uses(step, input)}.
     *
     * @param input the input that handler and workflow share
     * @param <T> the value
     * @return what that step returned, or what the gate was completed with
     * @throws InvalidRequestException with {@code workflow.input_unavailable} when the job is no step, when its step uses no step
     *     or several as this input, or when the one it uses left no output; with {@code job.invalid_output} when the output
     *     cannot be decoded
     */
    <T> T input(Input<T> input);

    /**
     * The outputs of all steps that this job's step uses as the input, as after a fan-out.
     *
     * @param input the input that handler and workflow share
     * @param <T> the values
     * @return one for each step, in the order in which those steps were declared; empty when there is no such step
     * @throws InvalidRequestException with {@code workflow.input_unavailable} when the job is no step or one of the steps left no
     *     output, with {@code job.invalid_output} when an output cannot be decoded
     */
    <T> List<T> inputs(Input<T> input);

    /**
     * Reads what a prerequisite step of the same workflow run produced, by its key; {@link #input} needs none.
     *
     * @param stepKey a step this job's step waits for
     * @param type what the output is decoded as; {@code Json} gives it undecoded
     * @param <T> what the output is decoded as
     * @return the output; empty when the step did not succeed, gave none, or gave the JSON value {@code null}
     * @throws InvalidRequestException with {@code request.invalid} when the job is no step or does not wait for that step, with
     *     {@code job.invalid_output} when the output cannot be decoded
     */
    default <T> Optional<T> output(String stepKey, Class<T> type) {
        return output(stepKey, (Type) type);
    }

    /**
     * Reads what a prerequisite step of the same workflow run produced, as a generic type. The caller answers for {@code T} and the
     * type being the same.
     *
     * @param stepKey a step this job's step waits for
     * @param type what the output is decoded as, for example a {@code ParameterizedType}
     * @param <T> what the output is decoded as
     * @return the output; empty when the step did not succeed, gave none, or gave the JSON value {@code null}
     * @throws InvalidRequestException with {@code request.invalid} when the job is no step or does not wait for that step, with
     *     {@code job.invalid_output} when the output cannot be decoded
     */
    <T> Optional<T> output(String stepKey, Type type);

    /**
     * Reads a value of the workflow run's context, as it stands now: given when the run was started, or contributed by a step
     * that has succeeded since. Steps that run at the same time may change it. Reads the ledger at every call.
     *
     * @param name the value's name
     * @param type what it is decoded as; {@code Json} gives it undecoded
     * @param <T> what it is decoded as
     * @return the value; empty when there is none, when it is the JSON value {@code null}, or when the job is no step
     * @throws InvalidRequestException with {@code workflow.invalid_context} when it cannot be decoded
     */
    default <T> Optional<T> runContext(String name, Class<T> type) {
        return runContext(name, (Type) type);
    }

    /**
     * Reads a value of the workflow run's context, as it stands now, as a generic type. The caller answers for {@code T} and the
     * type being the same.
     *
     * @param name the value's name
     * @param type what it is decoded as, for example a {@code ParameterizedType}
     * @param <T> what it is decoded as
     * @return the value; empty when there is none, when it is the JSON value {@code null}, or when the job is no step
     * @throws InvalidRequestException with {@code workflow.invalid_context} when it cannot be decoded
     */
    <T> Optional<T> runContext(String name, Type type);

    /**
     * Writes the job's success into a transaction of the handler's own, so that it becomes true together with whatever else the
     * handler wrote there, or not at all. Call it last, then commit: the job's row stays locked until then. Whatever the handler
     * returns afterwards is ignored: what a workflow step contributes to its run's context is given here, as {@code
     * JobOutcome.succeeded(output).contributing(name, value)} in the place of the output.
     *
     * <p>When the transaction is rolled back, nothing has happened: an exception the handler lets through counts as always, and
     * a handler that returns all the same has failed and is tried again as the retry policy says.
     *
     * @param connection a connection to the ledger's database with auto-commit off; it is neither committed, rolled back nor
     *     closed here
     * @param output what to keep as the job's output, or a {@link JobOutcome.Succeeded} with what it contributes too; null is kept
     *     as the JSON value {@code null}
     * @throws InvalidRequestException with {@code job.invalid_output} or {@code workflow.invalid_context} when something cannot be
     *     encoded, with {@code request.invalid} when the connection is in auto-commit mode or another outcome is given
     * @throws ConflictException with {@code workflow.context_conflict} when the workflow refuses what is contributed; roll back then
     * @throws LeaseLostException when the job is no longer this attempt's; roll back then
     */
    void settleIn(Connection connection, @Nullable Object output);

    /**
     * Writes the job's success, without an output, into a transaction of the handler's own; see {@link #settleIn(Connection,
     * Object)}.
     *
     * @param connection a connection to the ledger's database with auto-commit off
     * @throws InvalidRequestException with {@code request.invalid} when the connection is in auto-commit mode
     * @throws LeaseLostException when the job is no longer this attempt's; roll back then
     */
    void settleIn(Connection connection);
}

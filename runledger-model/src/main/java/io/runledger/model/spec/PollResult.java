package io.runledger.model.spec;

import io.runledger.model.error.ErrorCode;
import io.runledger.model.error.InvalidRequestException;
import io.runledger.model.id.Identifier;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * What a poll found: things to start, each under a key that starts it once, or nothing.
 *
 * @param starts what to start
 * @param reason why nothing is to be started, for the trigger's history
 */
public record PollResult(List<Start> starts, @Nullable String reason) {
    private static final PollResult NOTHING = new PollResult(List.of(), null);

    /**
     * Copies the list.
     *
     * @param starts see the record
     * @param reason see the record
     */
    public PollResult {
        starts = List.copyOf(starts);
    }

    /**
     * Starts a job, unless an earlier poll of the trigger has fired under the key.
     *
     * @param dedupKey what was found, for example the name of a file
     * @param job the job
     * @return the result
     */
    public static PollResult fire(String dedupKey, JobRequest job) {
        return new PollResult(List.of(new Start(dedupKey, job, null)), null);
    }

    /**
     * Starts a job with everything but type and payload left to the definition, unless an earlier poll of the trigger has fired
     * under the key.
     *
     * @param dedupKey what was found, for example the name of a file
     * @param type the declared type
     * @param payload what the handler gets
     * @param <P> the payload
     * @return the result
     */
    public static <P> PollResult fire(String dedupKey, JobType<P> type, P payload) {
        return fire(dedupKey, JobRequest.of(type, payload));
    }

    /**
     * Starts a workflow, unless an earlier poll of the trigger has fired under the key.
     *
     * @param dedupKey what was found, for example the name of a file
     * @param workflow the workflow, without an active key
     * @return the result
     */
    public static PollResult fire(String dedupKey, WorkflowRequest workflow) {
        return new PollResult(List.of(new Start(dedupKey, null, workflow)), null);
    }

    /**
     * Starts nothing.
     *
     * @return the result
     */
    public static PollResult skip() {
        return NOTHING;
    }

    /**
     * Starts nothing, and says why.
     *
     * @param reason for the trigger's history
     * @return the result
     */
    public static PollResult skip(String reason) {
        return new PollResult(List.of(), Objects.requireNonNull(reason, "reason"));
    }

    /**
     * Everything that several results start; none starts nothing.
     *
     * @param results any number
     * @return one result
     */
    public static PollResult all(List<PollResult> results) {
        return results.stream().reduce(NOTHING, PollResult::and);
    }

    /**
     * What this result starts, and another one too.
     *
     * @param other the other
     * @return one result
     */
    public PollResult and(PollResult other) {
        List<Start> both = Stream.concat(starts.stream(), other.starts.stream()).toList();
        return new PollResult(both, reason == null ? other.reason : reason);
    }

    /**
     * A job or a workflow to start, never both.
     *
     * @param dedupKey what was found; starts once for its trigger
     * @param job the job, or null
     * @param workflow the workflow, or null
     */
    public record Start(
            String dedupKey,
            @Nullable JobRequest job,
            @Nullable WorkflowRequest workflow) {
        /**
         * Checks the key, and that there is one thing to start.
         *
         * @param dedupKey see the record
         * @param job see the record
         * @param workflow see the record
         * @throws InvalidRequestException with {@code job_schedule.invalid_dedup_key}
         */
        public Start {
            Identifier.DEDUP_KEY.require(dedupKey);
            if ((job == null) == (workflow == null)) {
                throw new InvalidRequestException(
                        ErrorCode.INVALID_ARGUMENT, "A poll starts a job or a workflow: give one of them.");
            }
        }
    }
}

package io.runledger.model.schedule;

import io.runledger.model.error.ErrorCode;
import io.runledger.model.error.InvalidRequestException;
import io.runledger.model.job.JobRequest;
import io.runledger.model.job.JobType;
import io.runledger.model.value.Identifier;
import io.runledger.model.workflow.WorkflowRequest;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The result of a poll: jobs or workflows to start, each under a key that is used at most once, or nothing.
 *
 * @param starts jobs and workflows to start
 * @param reason reason for starting nothing, stored in the trigger's history
 */
public record PollResult(List<Start> starts, @Nullable String reason) {
    private static final PollResult NOTHING = new PollResult(List.of(), null);

    public PollResult {
        starts = List.copyOf(starts);
    }

    /**
     * Starts a job, unless an earlier poll of the trigger has used the key.
     *
     * @param dedupKey identifies the found item, for example a file name
     */
    public static PollResult fire(String dedupKey, JobRequest job) {
        return new PollResult(List.of(new Start(dedupKey, job, null)), null);
    }

    /**
     * Starts a job with the defaults of its type, unless an earlier poll of the trigger has used the key.
     *
     * @param dedupKey identifies the found item, for example a file name
     */
    public static <P> PollResult fire(String dedupKey, JobType<P> type, P payload) {
        return fire(dedupKey, JobRequest.of(type, payload));
    }

    /**
     * Starts a workflow, unless an earlier poll of the trigger has used the key.
     *
     * @param dedupKey identifies the found item, for example a file name
     * @param workflow must not have an active key
     */
    public static PollResult fire(String dedupKey, WorkflowRequest workflow) {
        return new PollResult(List.of(new Start(dedupKey, null, workflow)), null);
    }

    /** Starts nothing. */
    public static PollResult skip() {
        return NOTHING;
    }

    /** Starts nothing and stores the reason in the trigger's history. */
    public static PollResult skip(String reason) {
        return new PollResult(List.of(), Objects.requireNonNull(reason, "reason"));
    }

    /** Combines results. An empty list starts nothing. */
    public static PollResult all(List<PollResult> results) {
        return results.stream().reduce(NOTHING, PollResult::and);
    }

    /** Combines this result with another one. */
    public PollResult and(PollResult other) {
        List<Start> both = Stream.concat(starts.stream(), other.starts.stream()).toList();
        return new PollResult(both, reason == null ? other.reason : reason);
    }

    /**
     * A job or a workflow to start; exactly one is set.
     *
     * @param dedupKey used at most once per trigger
     */
    public record Start(
            String dedupKey,
            @Nullable JobRequest job,
            @Nullable WorkflowRequest workflow) {
        /** @throws InvalidRequestException with {@code job_schedule.invalid_dedup_key} */
        public Start {
            Identifier.DEDUP_KEY.require(dedupKey);
            if ((job == null) == (workflow == null)) {
                throw new InvalidRequestException(
                        ErrorCode.INVALID_ARGUMENT, "A poll starts a job or a workflow: set exactly one of them.");
            }
        }
    }
}

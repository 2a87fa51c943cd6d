package io.runledger.model.job;

import io.runledger.model.error.ErrorCode;
import io.runledger.model.error.InvalidRequestException;
import io.runledger.model.flow.FlowName;
import io.runledger.model.value.Identifier;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A selection of jobs for an operation. A job must meet all conditions.
 *
 * @param jobTypes empty for all types
 * @param statuses empty for all statuses that the operation can change
 * @param errorCode code of the last failure; null for any
 * @param errorMessage message of the last failure, compared as {@link #failedWithMessage} says; null for any
 * @param olderThan minimum time since the enqueue, by the database's clock; null for any
 * @param queue exact name of a queue; null for any
 */
public record JobSelection(
        List<String> jobTypes,
        Set<JobStatus> statuses,
        @Nullable String errorCode,
        @Nullable String errorMessage,
        @Nullable Duration olderThan,
        @Nullable String queue) {
    private static final JobSelection ANY = new JobSelection(List.of(), Set.of(), null, null, null, null);

    /**
     * @throws InvalidRequestException with {@code job.invalid_job_type} or {@code flow.invalid_name}, or with
     *     {@code request.invalid} if the age is negative
     */
    public JobSelection {
        jobTypes = jobTypes.stream().distinct().toList();
        jobTypes.forEach(Identifier.JOB_TYPE::require);
        statuses = Set.copyOf(statuses);
        if (queue != null) {
            FlowName.QUEUE.require(queue);
        }
        if (olderThan != null && olderThan.isNegative()) {
            throw new InvalidRequestException(
                    ErrorCode.INVALID_ARGUMENT, "olderThan is negative (" + olderThan + "): use zero or more.");
        }
    }

    /** All jobs in the scope. */
    public static JobSelection any() {
        return ANY;
    }

    /**
     * Jobs of one type.
     *
     * @throws InvalidRequestException with {@code job.invalid_job_type}
     */
    public static JobSelection ofType(String jobType) {
        return new JobSelection(List.of(jobType), Set.of(), null, null, null, null);
    }

    /** Returns a copy that selects jobs with one of these statuses. */
    public JobSelection inStatus(JobStatus... wanted) {
        return new JobSelection(jobTypes, Set.of(wanted), errorCode, errorMessage, olderThan, queue);
    }

    /** Returns a copy that selects jobs whose last failure has this code. */
    public JobSelection failedWith(String code) {
        return new JobSelection(jobTypes, statuses, code, errorMessage, olderThan, queue);
    }

    /**
     * Returns a copy that selects jobs whose last failure has this message or one like it. Before the comparison, ids,
     * numbers and quoted texts are replaced in both messages, as in {@link DeadLetterCause#message}. A blank message
     * selects jobs without a message.
     *
     * <p>No index contains messages: each job that meets the other conditions is read, so also name a type or a code.
     */
    public JobSelection failedWithMessage(String message) {
        return new JobSelection(jobTypes, statuses, errorCode, message, olderThan, queue);
    }

    /**
     * Returns a copy that selects jobs enqueued longer ago than this.
     *
     * @throws InvalidRequestException with {@code request.invalid} if the age is negative
     */
    public JobSelection olderThan(Duration age) {
        return new JobSelection(jobTypes, statuses, errorCode, errorMessage, age, queue);
    }

    /**
     * Returns a copy that selects the jobs of a named queue.
     *
     * @throws InvalidRequestException with {@code flow.invalid_name}
     */
    public JobSelection inQueue(String name) {
        return new JobSelection(jobTypes, statuses, errorCode, errorMessage, olderThan, name);
    }
}

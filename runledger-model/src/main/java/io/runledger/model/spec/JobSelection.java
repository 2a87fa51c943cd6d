package io.runledger.model.spec;

import io.runledger.model.error.ErrorCode;
import io.runledger.model.error.InvalidRequestException;
import io.runledger.model.id.Identifier;
import io.runledger.model.state.JobStatus;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Which jobs an operator means. Every condition that is given must hold.
 *
 * @param jobTypes the types; empty for every type
 * @param statuses the statuses; empty for every status the operation can change
 * @param errorCode code of the last failure, or null for any
 * @param olderThan enqueued longer ago than this, by the database's clock, or null for any age
 */
public record JobSelection(
        List<String> jobTypes,
        Set<JobStatus> statuses,
        @Nullable String errorCode,
        @Nullable Duration olderThan) {
    private static final JobSelection ANY = new JobSelection(List.of(), Set.of(), null, null);

    /**
     * Checks the conditions.
     *
     * @param jobTypes see the record
     * @param statuses see the record
     * @param errorCode see the record
     * @param olderThan see the record
     * @throws InvalidRequestException with {@code job.invalid_job_type}, or {@code request.invalid} for a negative age
     */
    public JobSelection {
        jobTypes = jobTypes.stream().distinct().toList();
        jobTypes.forEach(Identifier.JOB_TYPE::require);
        statuses = Set.copyOf(statuses);
        if (olderThan != null && olderThan.isNegative()) {
            throw new InvalidRequestException(
                    ErrorCode.INVALID_ARGUMENT, "olderThan is negative (" + olderThan + "): give zero or more.");
        }
    }

    /**
     * Every job in the scope.
     *
     * @return a selection without conditions
     */
    public static JobSelection any() {
        return ANY;
    }

    /**
     * Jobs of one type.
     *
     * @param jobType the type
     * @return the selection
     * @throws InvalidRequestException with {@code job.invalid_job_type}
     */
    public static JobSelection ofType(String jobType) {
        return new JobSelection(List.of(jobType), Set.of(), null, null);
    }

    /**
     * Narrowed to some statuses.
     *
     * @param wanted the statuses
     * @return the narrower selection
     */
    public JobSelection inStatus(JobStatus... wanted) {
        return new JobSelection(jobTypes, Set.of(wanted), errorCode, olderThan);
    }

    /**
     * Narrowed to jobs that failed last with a code.
     *
     * @param code the code
     * @return the narrower selection
     */
    public JobSelection failedWith(String code) {
        return new JobSelection(jobTypes, statuses, code, olderThan);
    }

    /**
     * Narrowed to jobs enqueued longer ago than this.
     *
     * @param age the age
     * @return the narrower selection
     * @throws InvalidRequestException with {@code request.invalid} when it is negative
     */
    public JobSelection olderThan(Duration age) {
        return new JobSelection(jobTypes, statuses, errorCode, age);
    }
}

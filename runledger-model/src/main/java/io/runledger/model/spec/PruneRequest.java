package io.runledger.model.spec;

import io.runledger.model.error.ErrorCode;
import io.runledger.model.error.InvalidRequestException;
import io.runledger.model.state.JobStatus;
import java.time.Duration;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Which ended jobs are to be forgotten, and how many at a time.
 *
 * @param olderThan ended longer ago than this, by the database's clock
 * @param statuses which endings; at least one
 * @param limit how many jobs one call looks at, 1 to 10,000
 * @param after where an earlier call left off, or null to begin with the job that ended first
 */
public record PruneRequest(
        Duration olderThan,
        Set<JobStatus> statuses,
        int limit,
        @Nullable String after) {
    /** The most jobs one call looks at. */
    public static final int MAX_LIMIT = 10_000;

    /**
     * Checks every value.
     *
     * @param olderThan see the record
     * @param statuses see the record
     * @param limit see the record
     * @param after see the record
     * @throws InvalidRequestException with {@code request.invalid}
     */
    public PruneRequest {
        statuses = Set.copyOf(statuses);
        refuseIf(olderThan.isNegative(), "olderThan is negative (" + olderThan + "): give zero or more.");
        refuseIf(statuses.isEmpty(), "No status is given: name at least one ending.");
        refuseIf(
                !statuses.stream().allMatch(JobStatus::isTerminal),
                "Only ended jobs can be pruned: give SUCCEEDED, DEAD_LETTERED or CANCELED.");
        refuseIf(
                limit < 1 || limit > MAX_LIMIT, "limit is " + limit + ": a call looks at 1 to " + MAX_LIMIT + " jobs.");
    }

    /**
     * Begins with the oldest job.
     *
     * @param olderThan ended longer ago than this
     * @param statuses which endings
     * @param limit how many jobs one call looks at
     * @return the request
     * @throws InvalidRequestException with {@code request.invalid}
     */
    public static PruneRequest of(Duration olderThan, Set<JobStatus> statuses, int limit) {
        return new PruneRequest(olderThan, statuses, limit, null);
    }

    /**
     * The same, continued.
     *
     * @param position what the call before answered as next
     * @return the request for the jobs behind it
     */
    public PruneRequest after(String position) {
        return new PruneRequest(olderThan, statuses, limit, position);
    }

    private static void refuseIf(boolean isWrong, String message) {
        if (isWrong) {
            throw new InvalidRequestException(ErrorCode.INVALID_ARGUMENT, message);
        }
    }
}

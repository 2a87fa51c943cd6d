package io.runledger.model.spec;

import io.runledger.model.error.ErrorCode;
import io.runledger.model.error.InvalidRequestException;
import io.runledger.model.state.WorkflowRunStatus;
import java.time.Duration;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Which ended runs are to be forgotten, and how many at a time.
 *
 * @param olderThan ended longer ago than this, by the database's clock
 * @param statuses which endings; at least one
 * @param limit how many runs one call looks at, 1 to 1,000
 * @param after where an earlier call left off, or null to begin with the run that ended first
 */
public record PruneRunsRequest(
        Duration olderThan,
        Set<WorkflowRunStatus> statuses,
        int limit,
        @Nullable String after) {
    /** The most runs one call looks at. */
    public static final int MAX_LIMIT = 1_000;

    /**
     * Checks every value.
     *
     * @param olderThan see the record
     * @param statuses see the record
     * @param limit see the record
     * @param after see the record
     * @throws InvalidRequestException with {@code request.invalid}
     */
    public PruneRunsRequest {
        statuses = Set.copyOf(statuses);
        refuseIf(olderThan.isNegative(), "olderThan is negative (" + olderThan + "): give zero or more.");
        refuseIf(statuses.isEmpty(), "No status is given: name at least one ending.");
        refuseIf(
                !statuses.stream().allMatch(WorkflowRunStatus::isTerminal),
                "Only ended runs can be pruned: give SUCCEEDED, COMPLETED_WITH_ERRORS or CANCELED.");
        refuseIf(
                limit < 1 || limit > MAX_LIMIT, "limit is " + limit + ": a call looks at 1 to " + MAX_LIMIT + " runs.");
    }

    /**
     * Begins with the oldest run.
     *
     * @param olderThan ended longer ago than this
     * @param statuses which endings
     * @param limit how many runs one call looks at
     * @return the request
     * @throws InvalidRequestException with {@code request.invalid}
     */
    public static PruneRunsRequest of(Duration olderThan, Set<WorkflowRunStatus> statuses, int limit) {
        return new PruneRunsRequest(olderThan, statuses, limit, null);
    }

    /**
     * The same, continued.
     *
     * @param position what the call before answered as next
     * @return the request for the runs behind it
     */
    public PruneRunsRequest after(String position) {
        return new PruneRunsRequest(olderThan, statuses, limit, position);
    }

    private static void refuseIf(boolean isWrong, String message) {
        if (isWrong) {
            throw new InvalidRequestException(ErrorCode.INVALID_ARGUMENT, message);
        }
    }
}

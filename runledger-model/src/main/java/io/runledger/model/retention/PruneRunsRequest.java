package io.runledger.model.retention;

import io.runledger.model.error.ErrorCode;
import io.runledger.model.error.InvalidRequestException;
import io.runledger.model.workflow.WorkflowRunStatus;
import java.time.Duration;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A request to delete ended runs in batches.
 *
 * @param olderThan minimum time since the end, by the database's clock
 * @param statuses final statuses to select; at least one
 * @param limit number of runs that one call examines, 1 to 1,000
 * @param after {@code next} of the previous call, or null to start with the run that ended first
 */
public record PruneRunsRequest(
        Duration olderThan,
        Set<WorkflowRunStatus> statuses,
        int limit,
        @Nullable String after) {
    public static final int MAX_LIMIT = 1_000;

    /** @throws InvalidRequestException with {@code request.invalid} */
    public PruneRunsRequest {
        statuses = Set.copyOf(statuses);
        refuseIf(olderThan.isNegative(), "olderThan is negative (" + olderThan + "): use zero or more.");
        refuseIf(statuses.isEmpty(), "No status is given: pass at least one final status.");
        refuseIf(
                !statuses.stream().allMatch(WorkflowRunStatus::isTerminal),
                "Only ended runs can be pruned: use SUCCEEDED, COMPLETED_WITH_ERRORS or CANCELED.");
        refuseIf(
                limit < 1 || limit > MAX_LIMIT, "limit is " + limit + ": a call examines 1 to " + MAX_LIMIT + " runs.");
    }

    /**
     * Starts with the run that ended first.
     *
     * @throws InvalidRequestException with {@code request.invalid}
     */
    public static PruneRunsRequest of(Duration olderThan, Set<WorkflowRunStatus> statuses, int limit) {
        return new PruneRunsRequest(olderThan, statuses, limit, null);
    }

    /** Returns the request for the next call; the position is the {@code next} of the previous one. */
    public PruneRunsRequest after(String position) {
        return new PruneRunsRequest(olderThan, statuses, limit, position);
    }

    private static void refuseIf(boolean isWrong, String message) {
        if (isWrong) {
            throw new InvalidRequestException(ErrorCode.INVALID_ARGUMENT, message);
        }
    }
}

package io.runledger.model.retention;

import io.runledger.model.error.ErrorCode;
import io.runledger.model.error.InvalidRequestException;
import io.runledger.model.job.JobStatus;
import java.time.Duration;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A request to delete ended jobs in batches.
 *
 * @param olderThan minimum time since the end, by the database's clock
 * @param statuses final statuses to select; at least one
 * @param limit number of jobs that one call examines, 1 to 10,000
 * @param after {@code next} of the previous call, or null to start with the job that ended first
 */
public record PruneRequest(
        Duration olderThan,
        Set<JobStatus> statuses,
        int limit,
        @Nullable String after) {
    public static final int MAX_LIMIT = 10_000;

    /** @throws InvalidRequestException with {@code request.invalid} */
    public PruneRequest {
        statuses = Set.copyOf(statuses);
        refuseIf(olderThan.isNegative(), "olderThan is negative (" + olderThan + "): use zero or more.");
        refuseIf(statuses.isEmpty(), "No status is given: pass at least one final status.");
        refuseIf(
                !statuses.stream().allMatch(JobStatus::isTerminal),
                "Only ended jobs can be pruned: use SUCCEEDED, DEAD_LETTERED or CANCELED.");
        refuseIf(
                limit < 1 || limit > MAX_LIMIT, "limit is " + limit + ": a call examines 1 to " + MAX_LIMIT + " jobs.");
    }

    /**
     * Starts with the job that ended first.
     *
     * @throws InvalidRequestException with {@code request.invalid}
     */
    public static PruneRequest of(Duration olderThan, Set<JobStatus> statuses, int limit) {
        return new PruneRequest(olderThan, statuses, limit, null);
    }

    /** Returns the request for the next call; the position is the {@code next} of the previous one. */
    public PruneRequest after(String position) {
        return new PruneRequest(olderThan, statuses, limit, position);
    }

    private static void refuseIf(boolean isWrong, String message) {
        if (isWrong) {
            throw new InvalidRequestException(ErrorCode.INVALID_ARGUMENT, message);
        }
    }
}

package io.runledger.model.spec;

import io.runledger.model.error.ErrorCode;
import io.runledger.model.error.InvalidRequestException;
import io.runledger.model.id.Identifier;
import io.runledger.model.state.ClaimOrigin;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/**
 * Which jobs a worker wants, and for how long.
 *
 * @param jobTypes the types it has handlers for; none means nothing is claimed
 * @param workerId who asks
 * @param lease how long the jobs are its own unless renewed, in whole seconds
 * @param limit how many at most, 1 to 10,000
 * @param origin whether the claim is the start
 * @param typeLimits how many of a type at most, 1 or more; types that are not named are bounded by the limit alone
 */
public record ClaimRequest(
        List<String> jobTypes,
        String workerId,
        Duration lease,
        int limit,
        ClaimOrigin origin,
        Map<String, Integer> typeLimits) {
    /** The most jobs one claim can ask for. */
    public static final int MAX_LIMIT = 10_000;

    /**
     * Checks every value.
     *
     * @param jobTypes see the record
     * @param workerId see the record
     * @param lease see the record
     * @param limit see the record
     * @param origin see the record
     * @param typeLimits see the record
     * @throws InvalidRequestException with the code of the first value that is not valid
     */
    public ClaimRequest {
        jobTypes = jobTypes.stream().distinct().toList();
        jobTypes.forEach(Identifier.JOB_TYPE::require);
        Identifier.WORKER_ID.require(workerId);
        lease = Duration.ofSeconds(leaseSeconds(lease));
        if (limit < 1 || limit > MAX_LIMIT) {
            throw new InvalidRequestException(
                    ErrorCode.INVALID_ARGUMENT, "limit is " + limit + ": a claim takes 1 to " + MAX_LIMIT + " jobs.");
        }
        typeLimits = Map.copyOf(typeLimits);
        typeLimits.forEach(ClaimRequest::requireTypeLimit);
    }

    /**
     * A claim without limits per type.
     *
     * @param jobTypes the types it has handlers for
     * @param workerId who asks
     * @param lease how long the jobs are its own unless renewed
     * @param limit how many at most
     * @param origin whether the claim is the start
     */
    public ClaimRequest(List<String> jobTypes, String workerId, Duration lease, int limit, ClaimOrigin origin) {
        this(jobTypes, workerId, lease, limit, origin, Map.of());
    }

    /**
     * A claim that is the start: the attempt counts from here.
     *
     * @param jobTypes the types it has handlers for
     * @param workerId who asks
     * @param lease how long the jobs are its own unless renewed
     * @param limit how many at most
     * @return the request
     */
    public static ClaimRequest of(List<String> jobTypes, String workerId, Duration lease, int limit) {
        return new ClaimRequest(jobTypes, workerId, lease, limit, ClaimOrigin.DIRECT);
    }

    /**
     * The same with limits per type, so that one type cannot take every place.
     *
     * @param limits how many of a type at most, 1 or more
     * @return a copy with those limits
     * @throws InvalidRequestException with {@code request.invalid} for a limit below 1
     */
    public ClaimRequest withTypeLimits(Map<String, Integer> limits) {
        return new ClaimRequest(jobTypes, workerId, lease, limit, origin, limits);
    }

    /**
     * A lease's length as it is stored.
     *
     * @param lease one second or more
     * @return whole seconds, rounded up
     * @throws InvalidRequestException with {@code job.invalid_lease_duration} when it is shorter than a second or longer than 68 years
     */
    public static int leaseSeconds(Duration lease) {
        JobRequest.refuse(ErrorCode.INVALID_LEASE_DURATION, Setting.leaseProblem(lease));
        return Setting.seconds(lease);
    }

    private static void requireTypeLimit(String jobType, int limit) {
        if (limit < 1) {
            throw new InvalidRequestException(
                    ErrorCode.INVALID_ARGUMENT,
                    "The limit of job type '" + jobType + "' is " + limit + ": give 1 or more, or leave the type out.");
        }
    }
}

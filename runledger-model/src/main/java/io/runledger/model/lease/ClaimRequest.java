package io.runledger.model.lease;

import io.runledger.model.error.ErrorCode;
import io.runledger.model.error.InvalidRequestException;
import io.runledger.model.job.ClaimOrigin;
import io.runledger.model.value.Identifier;
import io.runledger.model.value.SettingRules;
import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A request of a worker to claim jobs.
 *
 * @param jobTypes job types to claim; if empty, no job is claimed
 * @param lease duration of the lease unless it is renewed, in whole seconds
 * @param limit maximum number of jobs, 1 to 10,000
 * @param origin whether the claim counts as the start of the attempt
 * @param typeLimits maximum number of jobs per type, 1 or more; a type without an entry is subject to {@code limit}
 *     only
 * @param flowLimit maximum number of jobs with limits, an order, a share or a queue, 0 to {@code limit}. They occupy
 *     permits from the claim on, so a worker claims none that it cannot begin at once
 * @param queues queues whose jobs are claimed, {@link #DEFAULT_QUEUE} for the jobs in no named queue; null for all
 *     queues
 */
public record ClaimRequest(
        List<String> jobTypes,
        String workerId,
        Duration lease,
        int limit,
        ClaimOrigin origin,
        Map<String, Integer> typeLimits,
        int flowLimit,
        @Nullable Set<String> queues) {
    public static final int MAX_LIMIT = 10_000;

    /** The queue of the jobs that name none. */
    public static final String DEFAULT_QUEUE = "default";

    /** @throws InvalidRequestException with the code of the first invalid value */
    public ClaimRequest {
        jobTypes = List.copyOf(new LinkedHashSet<>(jobTypes));
        jobTypes.forEach(Identifier.JOB_TYPE::require);
        Identifier.WORKER_ID.require(workerId);
        lease = Duration.ofSeconds(leaseSeconds(lease));
        if (limit < 1 || limit > MAX_LIMIT) {
            throw new InvalidRequestException(
                    ErrorCode.INVALID_ARGUMENT, "limit is " + limit + ": a claim takes 1 to " + MAX_LIMIT + " jobs.");
        }
        typeLimits = Map.copyOf(typeLimits);
        typeLimits.forEach(ClaimRequest::requireTypeLimit);
        if (flowLimit < 0 || flowLimit > limit) {
            throw new InvalidRequestException(
                    ErrorCode.INVALID_ARGUMENT,
                    "flowLimit is " + flowLimit + ": it must be 0 to " + limit + ", the limit.");
        }
        queues = queues == null ? null : Set.copyOf(queues);
    }

    /** A claim of jobs of all queues. */
    public ClaimRequest(
            List<String> jobTypes,
            String workerId,
            Duration lease,
            int limit,
            ClaimOrigin origin,
            Map<String, Integer> typeLimits) {
        this(jobTypes, workerId, lease, limit, origin, typeLimits, limit, null);
    }

    /** A claim without limits per type. */
    public ClaimRequest(List<String> jobTypes, String workerId, Duration lease, int limit, ClaimOrigin origin) {
        this(jobTypes, workerId, lease, limit, origin, Map.of());
    }

    /** A claim that counts as the start of the attempt. */
    public static ClaimRequest of(List<String> jobTypes, String workerId, Duration lease, int limit) {
        return new ClaimRequest(jobTypes, workerId, lease, limit, ClaimOrigin.DIRECT);
    }

    /**
     * Returns a copy with limits per type, so that one type cannot occupy all slots.
     *
     * @param limits maximum number of jobs per type, 1 or more
     * @throws InvalidRequestException with {@code request.invalid} if a limit is below 1
     */
    public ClaimRequest withTypeLimits(Map<String, Integer> limits) {
        return new ClaimRequest(jobTypes, workerId, lease, limit, origin, limits, flowLimit, queues);
    }

    /** Returns a copy that claims jobs of these queues only; {@link #DEFAULT_QUEUE} stands for the jobs in no named queue. */
    public ClaimRequest withQueues(Set<String> queues) {
        return new ClaimRequest(jobTypes, workerId, lease, limit, origin, typeLimits, flowLimit, queues);
    }

    /** Whether jobs in no named queue are claimed. */
    public boolean servesDefaultQueue() {
        return queues == null || queues.contains(DEFAULT_QUEUE);
    }

    /**
     * Converts the duration of a lease to whole seconds, rounded up, as stored.
     *
     * @throws InvalidRequestException with {@code job.invalid_lease_duration} if it is shorter than one second or
     *     longer than 68 years
     */
    public static int leaseSeconds(Duration lease) {
        SettingRules.refuse(ErrorCode.INVALID_LEASE_DURATION, SettingRules.leaseProblem(lease));
        return SettingRules.seconds(lease);
    }

    private static void requireTypeLimit(String jobType, int limit) {
        if (limit < 1) {
            throw new InvalidRequestException(
                    ErrorCode.INVALID_ARGUMENT,
                    "The limit of job type '" + jobType + "' is " + limit + ": use 1 or more, or remove the entry.");
        }
    }
}

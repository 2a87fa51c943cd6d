package io.runledger.model.history;

import io.runledger.model.job.JobStatus;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * The reason why a job is in its current state, for example why it does not run.
 *
 * @param code stable; branch on it
 * @param sentence description for operators, with names, counts and times
 * @param at related time: end of the job, due time, lease expiry, pause of the run, queue or limit, time at which a rate
 *     lets the next job begin, drain of the workers, or last heartbeat of the last worker that served the type; null if
 *     there is none
 * @param jobs jobs for which the job waits: those that hold the permits of a limit, at most {@value #MOST_JOBS}, or the one
 *     in its order. Only jobs in the scope of the call; unmodifiable
 */
public record JobReason(
        Code code, String sentence, @Nullable Instant at, List<AwaitedJob> jobs) {
    /** The most jobs of a reason. */
    public static final int MOST_JOBS = 10;

    public JobReason {
        jobs = List.copyOf(jobs);
    }

    /** A reason that no other job causes. */
    public JobReason(Code code, String sentence, @Nullable Instant at) {
        this(code, sentence, at, List.of());
    }

    /**
     * A job for which another one waits.
     *
     * @param workerId worker that runs it; null unless it is leased
     * @param leaseExpiresAt end of its lease; null unless it is leased
     */
    public record AwaitedJob(
            UUID id,
            JobStatus status,
            @Nullable String workerId,
            @Nullable Instant leaseExpiresAt) {}

    /** The reasons, in order of precedence. */
    public enum Code {
        /** The job has ended. */
        ENDED,
        /** A worker runs the job. */
        RUNNING,
        /** A worker has claimed the job ahead. It starts the job when a slot is free, or has just started it. */
        HELD,
        /**
         * The handler ignored its timeout. The job is retried when the handler has ended or its overtime has elapsed.
         */
        TIMEOUT_IGNORED,
        /** The worker stopped renewing the lease. The reaper returns the job to the queue. */
        LEASE_EXPIRED,
        /** The workflow run of the job is paused: none of its steps starts. */
        RUN_PAUSED,
        /** The job type is paused: no job of the type is claimed. */
        TYPE_PAUSED,
        /** The queue of the job is paused: no job of the queue is claimed. */
        QUEUE_PAUSED,
        /** A limit of the job has no permits: no job of the limit is claimed. */
        LIMIT_PAUSED,
        /** The job is not due yet: it was delayed, snoozed or continued with a delay, or waits for a retry. */
        NOT_DUE,
        /** The job has a place in an order, and another job comes first: it has not ended, or is a dead letter. */
        ORDER_HELD,
        /** All permits of a limit of the job are in use by running jobs. */
        LIMIT_REACHED,
        /** The rate of a limit of the job lets no job begin now. */
        RATE_SPENT,
        /** Every worker that serves the job type is draining and claims no jobs until it is resumed. */
        FLEET_DRAINED,
        /**
         * No live worker serves the job type: every registered worker that serves it is lost or stopping. An
         * unregistered worker counts only while it holds a lease of the type.
         */
        NO_WORKER,
        /** Live workers serve the job type, but none of them serves the queue of the job. */
        QUEUE_UNSERVED,
        /** The job type is disabled. The job runs only if a worker still serves the type. */
        TYPE_DISABLED,
        /** Other jobs of the type are claimed first. */
        JOBS_AHEAD,
        /** Other shares of the type have due jobs: they take turns with the share of the job. */
        SHARES_TAKE_TURNS,
        /** The job belongs to a workflow step. */
        WORKFLOW_STEP,
        /** The job is due and waits for a free worker. */
        READY
    }
}

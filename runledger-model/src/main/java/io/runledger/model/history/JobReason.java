package io.runledger.model.history;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * The reason why a job is in its current state, for example why it does not run.
 *
 * @param code stable; branch on it
 * @param sentence description for operators, with names, counts and times
 * @param at related time: end of the job, due time, lease expiry, pause of the run, drain of the workers, or last
 *     heartbeat of the last worker that served the type; null if there is none
 */
public record JobReason(
        Code code, String sentence, @Nullable Instant at) {
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
        /** The job is not due yet: it was delayed, snoozed or continued with a delay, or waits for a retry. */
        NOT_DUE,
        /** Every worker that serves the job type is draining and claims no jobs until it is resumed. */
        FLEET_DRAINED,
        /**
         * No live worker serves the job type: every registered worker that serves it is lost or stopping. An
         * unregistered worker counts only while it holds a lease of the type.
         */
        NO_WORKER,
        /** The job type is disabled. The job runs only if a worker still serves the type. */
        TYPE_DISABLED,
        /** Other jobs of the type are claimed first. */
        JOBS_AHEAD,
        /** The job belongs to a workflow step. */
        WORKFLOW_STEP,
        /** The job is due and waits for a free worker. */
        READY
    }
}

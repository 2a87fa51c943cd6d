package io.runledger.model.state;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * Why a job is not running now, or that it is.
 *
 * @param code what to branch on
 * @param sentence the same for people, with names, counts and times
 * @param at the instant it is about: when the job ended, is due, its lease ends, its run was paused, its workers were drained, or the last worker
 *     that served its type was last seen; null when there is none
 */
public record JobReason(
        Code code, String sentence, @Nullable Instant at) {
    /** The reasons there are, the weightiest first. */
    public enum Code {
        /** The job has ended. */
        ENDED,
        /** A worker runs it. */
        RUNNING,
        /** Its handler ignored its timeout: the job is tried again once the handler has ended, or its overtime is over. */
        TIMEOUT_IGNORED,
        /** Its worker stopped renewing; the job goes back to the queue when the reaper sees it. */
        LEASE_EXPIRED,
        /** The run it is a step of is paused: none of its steps starts. */
        RUN_PAUSED,
        /** Its type is paused: no job of the type is claimed. */
        TYPE_PAUSED,
        /** Its time has not come: it was delayed, snoozed, continued later, or waits for its next try. */
        NOT_DUE,
        /** Every worker that could take it is told to drain: they claim nothing until they are resumed. */
        FLEET_DRAINED,
        /**
         * No live worker takes jobs of its type: of the workers on the list that serve it, each is lost or stopping. A worker that is not on the list
         * counts only while it holds a lease of the type.
         */
        NO_WORKER,
        /** Its type is disabled: the job may still run, but only if a worker still serves the type. */
        TYPE_DISABLED,
        /** Jobs of its type are claimed before it. */
        JOBS_AHEAD,
        /** It runs for a step of a workflow. */
        WORKFLOW_STEP,
        /** Nothing is in its way: it waits for a free worker. */
        READY
    }
}

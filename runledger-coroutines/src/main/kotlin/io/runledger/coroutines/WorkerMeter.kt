package io.runledger.coroutines

import io.runledger.model.error.RunledgerException
import io.runledger.model.failure.JobFailure
import io.runledger.model.handler.Cancellation
import io.runledger.model.job.DeadLetterReason
import io.runledger.model.lease.ClaimedJob
import io.runledger.model.lease.ReapedJob
import io.runledger.model.lease.Renewal
import io.runledger.model.run.ExpiredGate
import io.runledger.model.schedule.ScheduleFire

/**
 * Measures a worker: the worker calls it for every event, exactly once, so that counters lose nothing. Override the methods of
 * interest. `runledger-micrometer` has an implementation.
 *
 * The methods are called on the threads of the worker, several at the same time, and the work waits for them: a method must be
 * quick, must not block and must be safe for use by many threads. If one throws, the first exception is logged, the event is
 * missing in that meter, and no job is affected. For anything slower, use a [WorkerObserver].
 *
 * An event about a change in the ledger follows the commit. If the process dies, or if the answer to a commit is lost, the
 * ledger can contain changes that were not measured.
 */
public interface WorkerMeter {
    /** How an attempt ended for the worker. */
    public enum class Result {
        /** The job succeeded. */
        SUCCEEDED,

        /** The attempt failed, and a retry is scheduled. */
        RETRIED,

        /** The job became a dead letter. */
        DEAD_LETTERED,

        /** The job continues in its next run. */
        CONTINUED,

        /** The job waits, without spending the attempt. */
        SNOOZED,

        /** The job was canceled, by its handler or by another session. */
        CANCELED,

        /** The worker returned the job to the queue without spending the attempt: it stops, or could not start the job. */
        RELEASED,

        /** The lease was lost, or the job could not be settled while the lease was held: another worker repeats the job. */
        LOST,

        /** The worker ended before the attempt did, and left the job to a reaper. */
        ABANDONED,
    }

    /** A claim asked for at most [limit] jobs and has leased [jobs] after [elapsedNanos]. */
    public fun claimed(jobs: List<ClaimedJob>, limit: Int, elapsedNanos: Long) {}

    /** The handler of [job] starts, [waitNanos] after the job was due. */
    public fun started(job: ClaimedJob, waitNanos: Long) {}

    /**
     * The attempt has ended. Called once per claimed job, except for a claim that is answered after the worker has ended.
     * [runNanos] is the time from the start of the handler, in a batch from that of the batch; zero if it was not called.
     * [failure] is present for [Result.RETRIED] and [Result.DEAD_LETTERED], and [reason] for the latter.
     */
    public fun ended(job: ClaimedJob, result: Result, runNanos: Long, failure: JobFailure?, reason: DeadLetterReason?) {}

    /** The handler was asked to stop for [reason] and is still running. */
    public fun stuck(job: ClaimedJob, reason: Cancellation.Reason) {}

    /** One call has settled a batch of [attempts] after [elapsedNanos]; some may have to be settled again. */
    public fun settled(attempts: Int, elapsedNanos: Long) {}

    /** One call has renewed leases, with these answers. */
    public fun renewed(renewals: List<Renewal>) {}

    /** The lease of a lost worker expired, and the reaper handled its job. */
    public fun reaped(job: ReapedJob) {}

    /** An instant of a schedule was handled, or a trigger has polled. */
    public fun fired(fire: ScheduleFire) {}

    /** A gate was not completed in time and has expired. */
    public fun expired(gate: ExpiredGate) {}

    /** The worker cannot use the ledger, and keeps trying. Called once per outage, with its first cause. */
    public fun unavailable(failure: RunledgerException) {}

    /** The worker can use the ledger again, or has ended. Follows each [unavailable]. */
    public fun available() {}
}

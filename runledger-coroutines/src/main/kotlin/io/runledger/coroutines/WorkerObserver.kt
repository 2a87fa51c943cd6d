package io.runledger.coroutines

import io.runledger.model.error.RunledgerException
import io.runledger.model.failure.JobFailure
import io.runledger.model.handler.Cancellation
import io.runledger.model.job.DeadLetterReason
import io.runledger.model.lease.ReapedJob
import io.runledger.model.run.ExpiredGate
import io.runledger.model.schedule.ScheduleFire
import java.time.Duration
import java.time.Instant

/**
 * Receives the events of a worker, for metrics, alerts and logs; override the methods of interest. An event about a change in
 * the ledger follows the commit. Each observer receives one event at a time, in order, on a thread of its own. Its exceptions
 * are logged and ignored. An observer that falls behind by more than 1,024 events misses the newest ones, which is logged once;
 * jobs never wait for an observer.
 *
 * Delivery is best effort: events are lost if the process dies. The ledger holds the full history; to receive every dead letter
 * at least once, use `RunledgerWorker.Builder.onDeadLetter`.
 */
public interface WorkerObserver {
    /** A job was claimed; its handler starts next. */
    public fun claimed(job: ObservedJob) {}

    /** The handler starts. */
    public fun started(job: ObservedJob) {}

    /** The job succeeded; the handler took [elapsed]. */
    public fun succeeded(job: ObservedJob, elapsed: Duration) {}

    /** The attempt failed, and the job is retried at [nextRunAt]. */
    public fun retried(job: ObservedJob, failure: JobFailure, nextRunAt: Instant) {}

    /** The attempt failed, and the job became a dead letter. */
    public fun deadLettered(job: ObservedJob, failure: JobFailure, reason: DeadLetterReason) {}

    /** The job continues in its next run, or was snoozed without spending the attempt; it is due at [nextRunAt]. */
    public fun postponed(job: ObservedJob, nextRunAt: Instant) {}

    /** The job was canceled, by its handler or by another session. */
    public fun canceled(job: ObservedJob) {}

    /** The worker shuts down and released the job without spending the attempt. */
    public fun released(job: ObservedJob) {}

    /** The lease was lost, or the job could not be settled while the lease was held: another worker repeats the job. */
    public fun lost(job: ObservedJob) {}

    /** The handler was asked to stop for [reason] and is still running. It keeps its slot until it ends. */
    public fun stuck(job: ObservedJob, reason: Cancellation.Reason) {}

    /**
     * The handler ignored its timeout. The worker keeps the job until the handler ends, for at most [atMost], so that no second
     * attempt runs at the same time. Follows [stuck], and precedes the event for the result of the attempt.
     */
    public fun overtime(job: ObservedJob, atMost: Duration) {}

    /** The lease of a lost worker expired, and the reaper handled its job. */
    public fun reaped(job: ReapedJob) {}

    /** A schedule's instant was handled. */
    public fun fired(fire: ScheduleFire) {}

    /** A gate was not completed in time and has expired. */
    public fun expired(gate: ExpiredGate) {}

    /** The worker cannot use the ledger, and keeps trying. Reported once per cause, until [available]. */
    public fun unavailable(failure: RunledgerException) {}

    /** The worker can use the ledger again. */
    public fun available() {}

    /** The worker has ended. */
    public fun stopped(report: WorkerReport) {}
}

package io.runledger.coroutines

import io.runledger.model.error.RunledgerException
import io.runledger.model.run.Cancellation
import io.runledger.model.run.JobFailure
import io.runledger.model.state.DeadLetterReason
import io.runledger.model.state.ExpiredGate
import io.runledger.model.state.ReapedJob
import io.runledger.model.state.ScheduleFire
import java.time.Duration
import java.time.Instant

/**
 * Is told what a worker does, for metrics, alerts and logs; override what is of interest. A change of the ledger is told after
 * its commit. Each observer is told one event at a time and in order, on a thread of its own. What it throws is logged and
 * ignored. An observer that falls behind by more than 1,024 events misses the newest ones, which is logged once; no job waits
 * for it.
 *
 * Best effort: a process that dies tells nothing. What must not be missed stands in the ledger; for dead letters there is
 * [RunledgerWorker.Builder.onDeadLetter].
 */
public interface WorkerObserver {
    /** A job was claimed; its handler starts next. */
    public fun claimed(job: ObservedJob) {}

    /** The handler starts. */
    public fun started(job: ObservedJob) {}

    /** The job succeeded; the handler took [elapsed]. */
    public fun succeeded(job: ObservedJob, elapsed: Duration) {}

    /** The attempt failed and the job is tried again at [nextRunAt]. */
    public fun retried(job: ObservedJob, failure: JobFailure, nextRunAt: Instant) {}

    /** The attempt failed and the job gave up. */
    public fun deadLettered(job: ObservedJob, failure: JobFailure, reason: DeadLetterReason) {}

    /** The job goes on in its next run, or waits without spending the attempt, until [nextRunAt]. */
    public fun postponed(job: ObservedJob, nextRunAt: Instant) {}

    /** The job was called off, by its handler or by somebody else. */
    public fun canceled(job: ObservedJob) {}

    /** The worker shuts down and gave the job back unspent. */
    public fun givenBack(job: ObservedJob) {}

    /** The lease was lost, or the ending could not be written while it was held: another worker does it again. */
    public fun lost(job: ObservedJob) {}

    /** The handler was asked to stop for [reason] and goes on all the same. Its place stays taken until it ends. */
    public fun stuck(job: ObservedJob, reason: Cancellation.Reason) {}

    /**
     * The handler ignored its timeout, and its job is kept until it ends, for [atMost] at most: no second attempt runs beside it
     * meanwhile. Told after [stuck], and followed by how the attempt ended.
     */
    public fun overtime(job: ObservedJob, atMost: Duration) {}

    /** Some worker vanished, and this is what became of its job. */
    public fun reaped(job: ReapedJob) {}

    /** A schedule's instant was handled. */
    public fun fired(fire: ScheduleFire) {}

    /** A gate that nobody completed in time was ended. */
    public fun expired(gate: ExpiredGate) {}

    /** The ledger cannot be used; the worker keeps trying. Told once, until [available]. */
    public fun unavailable(failure: RunledgerException) {}

    /** The ledger can be used again. */
    public fun available() {}

    /** The worker has ended. */
    public fun stopped(report: WorkerReport) {}
}

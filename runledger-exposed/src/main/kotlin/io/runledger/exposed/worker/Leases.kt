package io.runledger.exposed.worker

import io.runledger.exposed.claim.ClaimJobs
import io.runledger.exposed.claim.ClaimNewJob
import io.runledger.exposed.claim.NextDue
import io.runledger.exposed.claim.RecordStarts
import io.runledger.exposed.claim.RenewLeases
import io.runledger.exposed.context.LedgerContext
import io.runledger.exposed.control.NoteOvertime
import io.runledger.exposed.control.ReportProgress
import io.runledger.exposed.json.readRetryPolicy
import io.runledger.exposed.reap.ReapJobs
import io.runledger.exposed.settle.ReleaseJobs
import io.runledger.exposed.settle.SettleJobs
import io.runledger.model.job.ClaimOrigin
import io.runledger.model.job.Lease
import io.runledger.model.lease.ClaimRequest
import io.runledger.model.lease.ClaimedJob
import io.runledger.model.lease.ProgressReport
import io.runledger.model.lease.ReapedJob
import io.runledger.model.lease.Renewal
import io.runledger.model.lease.ReportedProgress
import io.runledger.model.lease.SettledJob
import io.runledger.model.lease.Verdict
import io.runledger.model.retry.RetryPolicy
import java.time.Duration
import java.util.Optional
import java.util.UUID
import java.util.function.Consumer

/**
 * Claims jobs, renews their leases and settles their attempts, for workers. Each call takes a few statements, whatever the
 * number of jobs.
 */
@WorkerApi
public class Leases internal constructor(context: LedgerContext) {
    private val claims = ClaimJobs(context)
    private val newJobs = ClaimNewJob(context)
    private val nextDue = NextDue(context)
    private val renewals = RenewLeases(context)
    private val starts = RecordStarts(context)
    private val settlements = SettleJobs(context)
    private val releases = ReleaseJobs(context)
    private val progress = ReportProgress(context)
    private val overtimes = NoteOvertime(context)
    private val reaper = ReapJobs(context)

    /**
     * Leases due jobs: highest priority first, then longest due. Competing callers never get the same job and never wait for
     * each other. Jobs of paused types are not claimed. The list is in no particular order.
     *
     * The claim commits after its jobs have been read, so no job is leased to a caller whose connection broke before that. If
     * the response to the commit is lost, it is unknown whether the jobs are leased: the call passes their leases to
     * [onUnconfirmed] and then fails. The worker must not start these jobs. [release] returns them in either case, without
     * using up an attempt.
     *
     * Jobs with limits, an order, a share or a queue are claimed as far as these allow it at this moment. If some that are due
     * were left, the call passes the time after which another claim may find them to [onFlowWaiting]; empty if only the end of
     * another job or a change of a limit can help, which sends [io.runledger.exposed.signal.Signal.FreedPermits]. Callers that
     * use a key of a limit for the first time at the same moment wait for each other, at most for a tenth of a second.
     */
    @JvmOverloads
    public fun claim(
        request: ClaimRequest,
        onUnconfirmed: Consumer<List<Lease>> = Consumer {},
        onFlowWaiting: Consumer<Optional<Duration>> = Consumer {},
    ): List<ClaimedJob> = claims.claim(request, onUnconfirmed::accept) { onFlowWaiting.accept(Optional.ofNullable(it)) }

    /**
     * Leases the new job [id], of the only type of [request], which a signal has named. Costs less than a claim that looks for
     * jobs. Returns null if the job is not new, not due, paused, or held by another session: a [claim] may find it later.
     *
     * If the response is lost, it is unknown whether the job is leased: the call passes its lease to [onUnconfirmed] and then
     * fails. It also passes the lease of a job whose row cannot be read: a later [claim] ends it.
     */
    @JvmOverloads
    public fun claimNew(id: UUID, request: ClaimRequest, onUnconfirmed: Consumer<List<Lease>> = Consumer {}): ClaimedJob? =
        newJobs.claim(id, request, onUnconfirmed::accept)

    /**
     * The time until the next job of [jobTypes] is due, by the database's clock: zero if one is due, null if no job waits.
     * Jobs that are enqueued later and jobs of paused types do not count. Without [withFlow], neither do due jobs with limits, an
     * order, a share or a queue, which a claim may have left.
     */
    @JvmOverloads
    public fun untilDue(jobTypes: Collection<String>, withFlow: Boolean = true): Duration? = nextDue.until(jobTypes, withFlow)

    /**
     * The retry policy of a claimed job: its own, else its type's, else the standard policy. Refused with
     * `job.invalid_retry_policy` if the stored policy cannot be read.
     */
    public fun retryPolicy(job: ClaimedJob): RetryPolicy = job.retryPolicy()?.readRetryPolicy() ?: RetryPolicy.standard()

    /**
     * Renews [leases] for another [duration], by the database's clock. Returns a result for each lease, in their order. A lost
     * lease stays lost. The call waits for no lock: a job whose row another transaction has locked is returned as busy, and
     * the other leases are renewed.
     */
    public fun renew(leases: List<Lease>, duration: Duration): List<Renewal> = renewals.renew(leases, duration)

    /**
     * Records that the handlers of jobs have begun which were claimed with [ClaimOrigin.WORKER_PRESTART]. If a worker dies
     * before that, the reaper returns its job without using up the attempt. Returns the lease ids of the recorded starts. A
     * lease that is not held, and a job that another transaction has locked, is not recorded.
     */
    public fun recordStarts(leases: List<Lease>): Set<UUID> = starts.record(leases)

    /**
     * Ends attempts, with any mix of verdicts. The results are in the order of [verdicts]. Each settlement requires its
     * lease id and an unexpired lease. If the lease is lost, the settlement is returned as lost, changes nothing and does not
     * affect the others.
     *
     * If a settlement has an output, checkpoint, delay or count that cannot be stored, the job becomes a dead letter with the
     * code of that error. If the database itself refuses a settlement, it is returned as refused; in a joined transaction the
     * whole call is refused.
     *
     * The call does not wait for a job that another transaction has locked, and waits only briefly for a run: such a
     * settlement is returned as busy. So is one that could not be written because of a failure after others were written. In a
     * joined transaction the call waits for jobs.
     */
    public fun settle(verdicts: Map<Lease, Verdict>): List<SettledJob> = settlements.settle(verdicts)

    /**
     * Returns jobs to the queue without using up an attempt, because the worker shuts down or could not start them. They are
     * due again after [delay]. Returns a result for each lease, in their order. A lease that is no longer held changes
     * nothing, and a job whose row another transaction has locked is returned as busy. [reason] is stored with the attempt.
     */
    @JvmOverloads
    public fun release(leases: List<Lease>, reason: String, delay: Duration = Duration.ZERO): List<SettledJob> =
        releases.release(leases, reason, delay)

    /**
     * Writes the progress of a running attempt. Does not renew the lease. If the report is refused, nothing is written: with
     * `job.lease_owner_mismatch` if the lease is expired, taken over or canceled; with `job.invalid_progress` if the done
     * count exceeds the total; with `job.invalid_checkpoint` if the codec cannot encode the checkpoint; with
     * `job.checkpoint_too_large` if the checkpoint exceeds the client's `maxCheckpointBytes`.
     */
    public fun report(report: ProgressReport) {
        progress.report(report)
    }

    /**
     * [report] for many attempts, each named once. The results are in the order of [reports]. A refused report does not affect
     * the others.
     */
    public fun reportAll(reports: List<ProgressReport>): List<ReportedProgress> = progress.reportAll(reports)

    /**
     * Records that the handler of an attempt ignored its timeout and that the job stays reserved for it for at most [atMost],
     * for the job's history and for `jobs.why`. Repeatable. Does not renew the lease. Waits for no lock: returns false if the
     * lease is not held, or if another session has locked the job.
     */
    public fun noteOvertime(lease: Lease, atMost: Duration): Boolean = overtimes.note(lease, atMost)

    /**
     * Ends up to [limit] attempts whose lease has expired, longest expired first. If the number of results equals the limit,
     * there may be more. A claim that had not started is returned to the queue without using up an attempt. Any other attempt
     * fails with `job.lease_expired`. The retry policy of the job, else of its type, then decides when the job is due again,
     * or that it becomes a dead letter at once. If there is no readable policy, the job is due again after [retryDelay].
     * Without attempts left, it becomes a dead letter in any case.
     *
     * Any number of processes may reap at once: none waits, and none gets the same job. If the database refuses to end an
     * attempt, the job is deferred by [retryDelay] and does not affect the others; its lease has ended nevertheless.
     */
    public fun reap(limit: Int, retryDelay: Duration): List<ReapedJob> = reaper.reap(limit, retryDelay)
}

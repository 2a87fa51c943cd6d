package io.runledger.exposed

import io.runledger.exposed.claim.ClaimJobs
import io.runledger.exposed.claim.NextDue
import io.runledger.exposed.claim.RenewLeases
import io.runledger.exposed.control.NoteOvertime
import io.runledger.exposed.control.ReleaseJobs
import io.runledger.exposed.control.ReportProgress
import io.runledger.exposed.json.readRetryPolicy
import io.runledger.exposed.reap.ReapJobs
import io.runledger.exposed.settle.SettleJobs
import io.runledger.model.policy.RetryPolicy
import io.runledger.model.spec.ClaimRequest
import io.runledger.model.spec.ProgressReport
import io.runledger.model.spec.SettleRequest
import io.runledger.model.state.ClaimedJob
import io.runledger.model.state.Lease
import io.runledger.model.state.ReapedJob
import io.runledger.model.state.ReleasedJob
import io.runledger.model.state.Renewal
import io.runledger.model.state.ReportedProgress
import io.runledger.model.state.SettledJob
import java.time.Duration
import java.util.function.Consumer

/** What workers do with jobs: claim them, keep them, end them. Each call is a few statements, whatever the number of jobs. */
public class Leases internal constructor(context: LedgerContext) {
    private val claims = ClaimJobs(context)
    private val nextDue = NextDue(context)
    private val renewals = RenewLeases(context)
    private val settlements = SettleJobs(context)
    private val releases = ReleaseJobs(context)
    private val progress = ReportProgress(context)
    private val overtimes = NoteOvertime(context)
    private val reaper = ReapJobs(context)

    /**
     * Leases due jobs, highest priority first, then the longest due. Competing callers never get the same job and never wait
     * for each other. Paused types are left alone. The list is in no particular order.
     *
     * The claim is committed when its jobs have been read: nothing is leased to a caller whose connection broke before that.
     * When the answer to the commit itself is lost, whether the jobs are leased is not known: [onUnconfirmed] is told their
     * leases before the call fails. Nothing must be begun under them; [release] gives them back, in either case, unspent.
     */
    @JvmOverloads
    public fun claim(request: ClaimRequest, onUnconfirmed: Consumer<List<Lease>> = Consumer {}): List<ClaimedJob> =
        claims.claim(request, onUnconfirmed::accept)

    /**
     * How long until the next job of [jobTypes] is due, by the database's clock: zero when one is due already, null when none
     * waits. Jobs enqueued meanwhile are not foreseen, and paused types do not count.
     */
    public fun untilDue(jobTypes: Collection<String>): Duration? = nextDue.until(jobTypes)

    /**
     * What decides about retries of a claimed job: its own policy, else its type's, else the standard one. Refused with
     * `job.invalid_retry_policy` when somebody stored one that cannot be read.
     */
    public fun retryPolicy(job: ClaimedJob): RetryPolicy = job.retryPolicy()?.readRetryPolicy() ?: RetryPolicy.standard()

    /**
     * Renews [leases] for another [duration], by the database's clock. Answers for each, in their order; what is lost stays
     * lost. Waits for nobody: a job whose row another transaction holds comes back as busy, and the others are renewed.
     */
    public fun renew(leases: List<Lease>, duration: Duration): List<Renewal> = renewals.renew(leases, duration)

    /**
     * Ends attempts, with any mix of verdicts. Each is fenced by its lease id and by an unexpired lease; one that lost its
     * lease comes back as lost, changes nothing and does not disturb the others. Nor does one that cannot be written as asked:
     * an output, checkpoint, delay or count that no row can hold makes that job a dead letter with the code of the mistake,
     * and what only the database itself refuses comes back as refused, or, in the caller's transaction, refuses the whole
     * call. Waits for no job that another transaction holds, and only for a moment for a run: such a one comes back as busy, and
     * so does what a fault kept from being written after others had been written. In the caller's transaction it waits for jobs.
     * Answers in the order of [settlements].
     */
    public fun settle(settlements: List<SettleRequest>): List<SettledJob> = this.settlements.settle(settlements)

    /**
     * Gives jobs back without spending their attempts: the worker shuts down, or could not begin. They are due again after
     * [delay]. Answers for each lease, in their order; one that is held no more changes nothing, and one whose row another
     * transaction holds comes back as busy. [reason] is kept with the attempt.
     */
    @JvmOverloads
    public fun release(leases: List<Lease>, reason: String, delay: Duration = Duration.ZERO): List<ReleasedJob> =
        releases.release(leases, reason, delay)

    /**
     * Writes what a running attempt tells about itself; the lease is not renewed by it. Nothing is written when it is
     * refused: with `job.lease_owner_mismatch` once the lease is expired, taken over or canceled, with `job.invalid_progress`
     * when more would be done than there is, with `job.invalid_checkpoint` when the codec cannot encode it,
     * with `job.checkpoint_too_large` when it is larger than the client's `maxCheckpointBytes`.
     */
    public fun report(report: ProgressReport) {
        progress.report(report)
    }

    /**
     * [report] for many attempts, each named once. Answers in the order of [reports]; what is not written does not disturb
     * the others.
     */
    public fun reportAll(reports: List<ProgressReport>): List<ReportedProgress> = progress.reportAll(reports)

    /**
     * Notes that the handler of an attempt ignored its timeout and that the job is kept for it for [atMost] longer, for its story
     * and for `jobs.why`; repeatable. The lease is not renewed by it. Waits for no other session: false when the lease is not
     * held, or when another session holds the job at this moment.
     */
    public fun noteOvertime(lease: Lease, atMost: Duration): Boolean = overtimes.note(lease, atMost)

    /**
     * Ends up to [limit] attempts whose lease ran out, the longest expired first. A claim that had not started is given back
     * unspent. Any other is a failure with `job.lease_expired`, and what becomes of it is for the policy of the job, else of
     * its type, to say: when it is due again, or that it is a dead letter at once. Where none is stored, or none that can be
     * read, it is due again after [retryDelay]. Without attempts left it is a dead letter in any case. Any number of processes
     * may reap at once: none waits, none gets a job twice. A full answer means that there may be more. A job whose ending the
     * database refuses is deferred by [retryDelay] and does not disturb the others; the lease it had is over nevertheless.
     */
    public fun reap(limit: Int, retryDelay: Duration): List<ReapedJob> = reaper.reap(limit, retryDelay)
}

package io.runledger.coroutines.port

import io.runledger.exposed.Jobs
import io.runledger.exposed.worker.Leases
import io.runledger.exposed.worker.WorkerApi
import io.runledger.model.job.JobStatus
import io.runledger.model.job.Lease
import io.runledger.model.lease.ClaimedJob
import io.runledger.model.lease.SettledJob
import io.runledger.model.lease.Verdict
import io.runledger.model.ledger.Scope
import io.runledger.model.retry.RetryPolicy
import java.time.Duration
import java.util.UUID

/** Settles attempts. */
internal interface SettlePort {
    /** The results are in the order of [verdicts]. */
    suspend fun settle(verdicts: Map<Lease, Verdict>): List<SettledJob>

    /** Those of [jobIds] that have succeeded. */
    suspend fun succeeded(jobIds: List<UUID>): Set<UUID>

    /** Records that the handler ignores its timeout and that the worker waits for it; false if it cannot be recorded now. */
    suspend fun noteOvertime(lease: Lease, atMost: Duration): Boolean

    /** Does not ask the database. */
    fun retryPolicy(job: ClaimedJob): RetryPolicy
}

@OptIn(WorkerApi::class)
internal class LedgerSettlements(private val ledger: Leases, private val jobs: Jobs, private val lanes: Lanes) : SettlePort {
    override suspend fun settle(verdicts: Map<Lease, Verdict>) = lanes.any { ledger.settle(verdicts) }

    override suspend fun succeeded(jobIds: List<UUID>) = lanes.any {
        jobs.statuses(Scope.everything(), jobIds).filterValues { it == JobStatus.SUCCEEDED }.keys
    }

    override suspend fun noteOvertime(lease: Lease, atMost: Duration) = lanes.any { ledger.noteOvertime(lease, atMost) }

    override fun retryPolicy(job: ClaimedJob) = ledger.retryPolicy(job)
}

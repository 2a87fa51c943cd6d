package io.runledger.coroutines.port

import io.runledger.exposed.worker.Leases
import io.runledger.exposed.worker.WorkerApi
import io.runledger.model.job.Lease
import io.runledger.model.lease.ClaimRequest
import io.runledger.model.lease.ClaimedJob
import io.runledger.model.lease.SettledJob
import java.time.Duration

/** Claims jobs. */
internal interface ClaimPort {
    /** If the call fails although jobs may be leased, it passes their leases to [onUnconfirmed], on any thread. */
    suspend fun claim(request: ClaimRequest, onUnconfirmed: (List<Lease>) -> Unit = {}): List<ClaimedJob>

    suspend fun untilDue(jobTypes: List<String>): Duration?

    suspend fun release(leases: List<Lease>, reason: String): List<SettledJob>
}

@OptIn(WorkerApi::class)
internal class LedgerClaims(private val ledger: Leases, private val lanes: Lanes) : ClaimPort {
    override suspend fun claim(request: ClaimRequest, onUnconfirmed: (List<Lease>) -> Unit) =
        lanes.claiming { ledger.claim(request, onUnconfirmed) }

    override suspend fun untilDue(jobTypes: List<String>) = lanes.claiming { ledger.untilDue(jobTypes) }

    override suspend fun release(leases: List<Lease>, reason: String) = lanes.any { ledger.release(leases, reason) }
}

package io.runledger.coroutines.port

import io.runledger.exposed.worker.Leases
import io.runledger.exposed.worker.WorkerApi
import io.runledger.model.job.Lease
import io.runledger.model.lease.Renewal
import java.time.Duration
import java.util.UUID

/** Renews leases and records starts. */
internal interface LeasePort {
    suspend fun renew(leases: List<Lease>, duration: Duration): List<Renewal>

    /** Records that the handlers of jobs claimed ahead have begun. Returns the lease ids of those whose start is recorded now. */
    suspend fun recordStarts(leases: List<Lease>): Set<UUID>
}

@OptIn(WorkerApi::class)
internal class LedgerLeases(private val ledger: Leases, private val lanes: Lanes) : LeasePort {
    override suspend fun renew(leases: List<Lease>, duration: Duration) = lanes.any { ledger.renew(leases, duration) }

    override suspend fun recordStarts(leases: List<Lease>) = lanes.any { ledger.recordStarts(leases) }
}

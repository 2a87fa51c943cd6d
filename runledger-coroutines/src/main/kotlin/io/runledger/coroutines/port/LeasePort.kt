package io.runledger.coroutines.port

import io.runledger.exposed.worker.Leases
import io.runledger.exposed.worker.WorkerApi
import io.runledger.model.job.Lease
import io.runledger.model.lease.Renewal
import java.time.Duration

/** Renews leases. */
internal interface LeasePort {
    suspend fun renew(leases: List<Lease>, duration: Duration): List<Renewal>
}

@OptIn(WorkerApi::class)
internal class LedgerLeases(private val ledger: Leases, private val lanes: Lanes) : LeasePort {
    override suspend fun renew(leases: List<Lease>, duration: Duration) = lanes.any { ledger.renew(leases, duration) }
}

package io.runledger.coroutines.watch

import io.runledger.coroutines.port.ClaimPort
import io.runledger.coroutines.port.LeasePort
import io.runledger.coroutines.port.Ports
import io.runledger.coroutines.port.SettlePort
import io.runledger.model.job.Lease
import io.runledger.model.lease.ClaimRequest
import io.runledger.model.lease.ClaimedJob
import io.runledger.model.lease.SettledJob
import io.runledger.model.lease.Verdict
import java.time.Duration
import java.util.UUID

/** The same ports, whose calls are measured. Without a meter, the ports themselves. */
internal fun Ports.metered(meters: Meters): Ports = if (meters.isEmpty) {
    this
} else {
    Ports(
        MeteredClaims(claims, meters),
        MeteredSettlements(settlements, meters),
        MeteredLeases(leases, meters),
        housekeeping,
        hooks,
        triggers,
        fleet,
        hints,
        starts,
    )
}

private class MeteredClaims(private val port: ClaimPort, private val meters: Meters) : ClaimPort by port {
    override suspend fun claim(
        request: ClaimRequest,
        onUnconfirmed: (List<Lease>) -> Unit,
        onFlowWaiting: (Duration?) -> Unit,
    ): List<ClaimedJob> {
        val begin = System.nanoTime()
        val jobs = port.claim(request, onUnconfirmed, onFlowWaiting)
        val elapsed = System.nanoTime() - begin
        meters.tell { claimed(jobs, request.limit(), elapsed) }
        return jobs
    }

    override suspend fun claimNew(id: UUID, request: ClaimRequest, onUnconfirmed: (List<Lease>) -> Unit): ClaimedJob? {
        val begin = System.nanoTime()
        val job = port.claimNew(id, request, onUnconfirmed)
        val elapsed = System.nanoTime() - begin
        meters.tell { claimed(listOfNotNull(job), request.limit(), elapsed) }
        return job
    }
}

private class MeteredSettlements(private val port: SettlePort, private val meters: Meters) : SettlePort by port {
    override suspend fun settle(verdicts: Map<Lease, Verdict>): List<SettledJob> {
        val begin = System.nanoTime()
        val settled = port.settle(verdicts)
        val elapsed = System.nanoTime() - begin
        meters.tell { settled(verdicts.size, elapsed) }
        return settled
    }
}

private class MeteredLeases(private val port: LeasePort, private val meters: Meters) : LeasePort by port {
    override suspend fun renew(leases: List<Lease>, duration: Duration) =
        port.renew(leases, duration).also { renewals -> meters.tell { renewed(renewals) } }
}

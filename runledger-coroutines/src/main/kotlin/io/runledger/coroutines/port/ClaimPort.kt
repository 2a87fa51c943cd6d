package io.runledger.coroutines.port

import io.runledger.exposed.worker.Leases
import io.runledger.exposed.worker.WorkerApi
import io.runledger.model.job.Lease
import io.runledger.model.lease.ClaimRequest
import io.runledger.model.lease.ClaimedJob
import io.runledger.model.lease.SettledJob
import java.time.Duration
import java.util.UUID
import kotlin.coroutines.CoroutineContext
import kotlin.coroutines.EmptyCoroutineContext

/** Claims jobs. */
internal interface ClaimPort {
    /** The context of a loop that claims. A claim from there needs no other thread. */
    val place: CoroutineContext get() = EmptyCoroutineContext

    /**
     * If the call fails although jobs may be leased, it passes their leases to [onUnconfirmed], on any thread. If due jobs with
     * flow were left, it passes the time after which another claim may find them to [onFlowWaiting], null if it is unknown.
     */
    suspend fun claim(
        request: ClaimRequest,
        onUnconfirmed: (List<Lease>) -> Unit = {},
        onFlowWaiting: (Duration?) -> Unit = {},
    ): List<ClaimedJob>

    /** Claims the new job [id], of the only type of [request]; null if it is not to be had. [onUnconfirmed] as for [claim]. */
    suspend fun claimNew(id: UUID, request: ClaimRequest, onUnconfirmed: (List<Lease>) -> Unit = {}): ClaimedJob?

    /** [withFlow] as in [Leases.untilDue]. */
    suspend fun untilDue(jobTypes: List<String>, withFlow: Boolean): Duration?

    suspend fun release(leases: List<Lease>, reason: String): List<SettledJob>
}

@OptIn(WorkerApi::class)
internal class LedgerClaims(private val ledger: Leases, private val lanes: Lanes) : ClaimPort {
    override val place: CoroutineContext get() = lanes.claims

    override suspend fun claim(request: ClaimRequest, onUnconfirmed: (List<Lease>) -> Unit, onFlowWaiting: (Duration?) -> Unit) =
        lanes.claimingHere { ledger.claim(request, onUnconfirmed) { onFlowWaiting(it.orElse(null)) } }

    override suspend fun claimNew(id: UUID, request: ClaimRequest, onUnconfirmed: (List<Lease>) -> Unit) =
        lanes.claimingHere { ledger.claimNew(id, request, onUnconfirmed) }

    override suspend fun untilDue(jobTypes: List<String>, withFlow: Boolean) =
        lanes.claiming { ledger.untilDue(jobTypes, withFlow) }

    override suspend fun release(leases: List<Lease>, reason: String) = lanes.any { ledger.release(leases, reason) }
}

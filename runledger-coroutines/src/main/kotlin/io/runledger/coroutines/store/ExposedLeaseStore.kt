package io.runledger.coroutines.store

import io.runledger.exposed.RunledgerClient
import io.runledger.exposed.signal.Signal
import io.runledger.model.spec.ClaimRequest
import io.runledger.model.spec.PruneRequest
import io.runledger.model.spec.SettleRequest
import io.runledger.model.state.ClaimedJob
import io.runledger.model.state.JobStatus
import io.runledger.model.state.Lease
import io.runledger.model.state.Scope
import kotlinx.coroutines.CoroutineScope
import kotlinx.coroutines.Dispatchers
import kotlinx.coroutines.SupervisorJob
import kotlinx.coroutines.async
import java.time.Duration
import java.util.UUID

/**
 * The loops' way to the ledger: at most [MAX_CALLS] calls, hence connections, at a time, on threads that handlers cannot use
 * up. A call that hangs, for example on a dead network, is left behind by whoever asked and ends when its connection does.
 */
internal class ExposedLeaseStore(private val client: RunledgerClient) : LeaseStore {
    private val calls = CoroutineScope(SupervisorJob() + Dispatchers.IO.limitedParallelism(MAX_CALLS, "runledger-loops"))
    private val leases get() = client.leases

    override suspend fun claim(request: ClaimRequest) = call { leases.claim(request) }

    override suspend fun untilDue(jobTypes: List<String>) = call { leases.untilDue(jobTypes) }

    override suspend fun renew(leases: List<Lease>, duration: Duration) = call { client.leases.renew(leases, duration) }

    override suspend fun settle(requests: List<SettleRequest>) = call { leases.settle(requests) }

    override suspend fun release(leases: List<Lease>, reason: String) = call { client.leases.release(leases, reason) }

    override suspend fun succeeded(jobIds: List<UUID>) = call {
        client.jobs.statuses(Scope.everything(), jobIds).filterValues { it == JobStatus.SUCCEEDED }.keys
    }

    override suspend fun untilNextFire() = call { client.schedules.untilNextFire() }

    override suspend fun fire(limit: Int) = call { client.schedules.fire(limit) }

    override suspend fun reap(limit: Int, retryDelay: Duration) = call { leases.reap(limit, retryDelay) }

    override suspend fun expireGates(limit: Int) = call { client.workflows.expireGates(limit) }

    override suspend fun releaseActiveKeys(limit: Int) = call { client.workflows.releaseActiveKeys(limit) }

    override suspend fun prune(request: PruneRequest) = call { client.retention.prune(request) }

    override fun retryPolicy(job: ClaimedJob) = leases.retryPolicy(job)

    override val hasHints get() = client.signals.isEnabled

    override fun subscribe(onHint: (Hint) -> Unit) = client.signals.subscribe { signal ->
        when (signal) {
            is Signal.DueJobs -> onHint(Hint.Due(signal.jobType))
            is Signal.CanceledJob -> onHint(Hint.Canceled(signal.jobId))
            is Signal.Resumed -> onHint(Hint.Missed)
            is Signal.EndedRun, is Signal.OpenedGate -> Unit
        }
    }

    private suspend fun <T> call(work: () -> T): T = calls.async { work() }.await()

    private companion object {
        const val MAX_CALLS = 4
    }
}

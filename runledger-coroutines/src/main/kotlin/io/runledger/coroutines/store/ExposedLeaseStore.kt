package io.runledger.coroutines.store

import io.runledger.exposed.RunledgerClient
import io.runledger.exposed.signal.Signal
import io.runledger.model.spec.ClaimRequest
import io.runledger.model.spec.PollResult
import io.runledger.model.spec.PruneRequest
import io.runledger.model.spec.PruneRunsRequest
import io.runledger.model.spec.SettleRequest
import io.runledger.model.spec.WorkerCard
import io.runledger.model.state.ClaimedJob
import io.runledger.model.state.DeadLetterDelivery
import io.runledger.model.state.JobStatus
import io.runledger.model.state.Lease
import io.runledger.model.state.Scope
import io.runledger.model.state.TakenPoll
import io.runledger.model.state.WorkerState
import kotlinx.coroutines.CoroutineDispatcher
import kotlinx.coroutines.CoroutineScope
import kotlinx.coroutines.SupervisorJob
import kotlinx.coroutines.async
import java.time.Duration
import java.time.Instant
import java.util.UUID

/**
 * The loops' way to the ledger: at most five calls, hence connections, at a time, on threads that handlers cannot use up.
 * A call that hangs, for example on a dead network, is left behind by the loop that asked and ends when its connection does.
 * Claims have a lane of their own, one call at a time; so have reaping, the other housekeeping, and beats. None of the four waits
 * for another, and when all of them hang there is still a call left to keep leases and write endings.
 */
internal class ExposedLeaseStore(private val client: RunledgerClient, process: Calls = Calls()) : LeaseStore {
    private val all = process.loops.limitedParallelism(Calls.OF_LOOPS)
    private val claiming = all.limitedParallelism(1, "runledger-claims")
    private val reaping = all.limitedParallelism(1, "runledger-reaping")
    private val keepingHouse = all.limitedParallelism(1, "runledger-housekeeping")
    private val beating = all.limitedParallelism(1, "runledger-beats")
    private val calls = CoroutineScope(SupervisorJob())
    private val leases get() = client.leases

    override suspend fun claim(request: ClaimRequest, onUnconfirmed: (List<Lease>) -> Unit) =
        call(claiming) { leases.claim(request, onUnconfirmed) }

    override suspend fun untilDue(jobTypes: List<String>) = call(claiming) { leases.untilDue(jobTypes) }

    override suspend fun renew(leases: List<Lease>, duration: Duration) = call { client.leases.renew(leases, duration) }

    override suspend fun settle(requests: List<SettleRequest>) = call { leases.settle(requests) }

    override suspend fun release(leases: List<Lease>, reason: String) = call { client.leases.release(leases, reason) }

    override suspend fun noteOvertime(lease: Lease, atMost: Duration) = call { leases.noteOvertime(lease, atMost) }

    override suspend fun succeeded(jobIds: List<UUID>) = call {
        client.jobs.statuses(Scope.everything(), jobIds).filterValues { it == JobStatus.SUCCEEDED }.keys
    }

    override suspend fun untilNextFire() = call(keepingHouse) { client.schedules.untilNextFire() }

    override suspend fun fire(limit: Int) = call(keepingHouse) { client.schedules.fire(limit) }

    override suspend fun reap(limit: Int, retryDelay: Duration) = call(reaping) { leases.reap(limit, retryDelay) }

    override suspend fun needUpkeep() = call(keepingHouse) { client.workflows.needUpkeep() }

    override suspend fun expireGates(limit: Int) = call(keepingHouse) { client.workflows.expireGates(limit) }

    override suspend fun releaseActiveKeys(limit: Int) = call(keepingHouse) { client.workflows.releaseActiveKeys(limit) }

    override suspend fun prune(request: PruneRequest) = call(keepingHouse) { client.retention.prune(request) }

    override suspend fun pruneRuns(request: PruneRunsRequest) = call(keepingHouse) { client.retention.pruneRuns(request) }

    override suspend fun pruneFires(age: Duration, limit: Int) = call(keepingHouse) { client.retention.pruneFires(age, limit) }

    override suspend fun prunePolls(age: Duration, limit: Int) = call(keepingHouse) { client.retention.prunePolls(age, limit) }

    override suspend fun pruneWorkers(age: Duration, limit: Int) =
        call(keepingHouse) { client.retention.pruneWorkers(age, limit) }

    override suspend fun registerHook(hook: String, jobTypes: List<String>) =
        call(keepingHouse) { client.hooks.register(hook, jobTypes) }

    override suspend fun takeLetters(hook: String, jobTypes: List<String>, limit: Int, lease: Duration) =
        call(keepingHouse) { client.hooks.take(hook, jobTypes, limit, lease) }

    override suspend fun lettersDelivered(deliveries: List<DeadLetterDelivery>) =
        call(keepingHouse) { client.hooks.delivered(deliveries) }

    override suspend fun postponeLetters(delays: Map<DeadLetterDelivery, Duration>) =
        call(keepingHouse) { client.hooks.postpone(delays) }

    override suspend fun registerTrigger(trigger: String, every: Duration) {
        call(keepingHouse) { client.triggers.register(trigger, every) }
    }

    override suspend fun untilNextPoll(trigger: String) = call(keepingHouse) { client.triggers.untilNextPoll(listOf(trigger)) }

    override suspend fun takePoll(trigger: String, lease: Duration) =
        call(keepingHouse) { client.triggers.take(listOf(trigger), lease).singleOrNull() }

    override suspend fun settlePoll(poll: TakenPoll, result: PollResult) =
        call(keepingHouse) { client.triggers.settle(poll, result) }

    override suspend fun failPoll(poll: TakenPoll, reason: String) = call(keepingHouse) { client.triggers.fail(poll, reason) }

    override suspend fun releasePoll(poll: TakenPoll) {
        call(keepingHouse) { client.triggers.release(poll) }
    }

    override suspend fun enterFleet(card: WorkerCard, since: Instant?) = call(beating) { client.workers.enter(card, since) }

    override suspend fun beat(id: UUID, state: WorkerState, busySlots: Int) =
        call(beating) { client.workers.beat(id, state, busySlots) }

    override suspend fun leaveFleet(id: UUID) {
        call(beating) { client.workers.leave(id) }
    }

    override fun retryPolicy(job: ClaimedJob) = leases.retryPolicy(job)

    override val hasHints get() = client.signals.isHearing

    override fun subscribe(onHint: (Hint) -> Unit) = client.signals.subscribe { signal ->
        when (signal) {
            is Signal.DueJobs -> onHint(Hint.Due(signal.jobType))
            is Signal.CanceledJob -> onHint(Hint.Canceled(signal.jobId))
            is Signal.ChangedOrder -> onHint(Hint.Ordered)
            is Signal.Resumed -> onHint(Hint.Missed)
            is Signal.EndedRun, is Signal.OpenedGate -> Unit
        }
    }

    private suspend fun <T> call(where: CoroutineDispatcher = all, work: () -> T): T = calls.async(where) { work() }.await()
}

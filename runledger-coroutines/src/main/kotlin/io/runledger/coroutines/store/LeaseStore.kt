package io.runledger.coroutines.store

import io.runledger.model.policy.RetryPolicy
import io.runledger.model.spec.ClaimRequest
import io.runledger.model.spec.PollResult
import io.runledger.model.spec.PruneRequest
import io.runledger.model.spec.PruneRunsRequest
import io.runledger.model.spec.SettleRequest
import io.runledger.model.spec.WorkerCard
import io.runledger.model.state.BeatAnswer
import io.runledger.model.state.ClaimedJob
import io.runledger.model.state.DeadLetterDelivery
import io.runledger.model.state.ExpiredGate
import io.runledger.model.state.Lease
import io.runledger.model.state.PruneReport
import io.runledger.model.state.PrunedRuns
import io.runledger.model.state.ReapedJob
import io.runledger.model.state.ReleasedJob
import io.runledger.model.state.Renewal
import io.runledger.model.state.ScheduleFire
import io.runledger.model.state.SchedulePass
import io.runledger.model.state.SettledJob
import io.runledger.model.state.TakenPoll
import io.runledger.model.state.WorkerState
import java.time.Duration
import java.time.Instant
import java.util.UUID

/**
 * The ledger as the loops see it. Calls suspend while the database works; a caller that is cancelled leaves at once, and what
 * the call does in the database happens all the same.
 */
internal interface LeaseStore {
    /** Tells [onUnconfirmed], on any thread, what may be leased although the call fails. */
    suspend fun claim(request: ClaimRequest, onUnconfirmed: (List<Lease>) -> Unit = {}): List<ClaimedJob>

    suspend fun untilDue(jobTypes: List<String>): Duration?

    suspend fun renew(leases: List<Lease>, duration: Duration): List<Renewal>

    suspend fun settle(requests: List<SettleRequest>): List<SettledJob>

    suspend fun release(leases: List<Lease>, reason: String): List<ReleasedJob>

    /** Notes that the handler ignored its timeout and is waited for; false when it cannot be noted now. */
    suspend fun noteOvertime(lease: Lease, atMost: Duration): Boolean

    /** Which of [jobIds] have succeeded. */
    suspend fun succeeded(jobIds: List<UUID>): Set<UUID>

    suspend fun untilNextFire(): Duration?

    suspend fun fire(limit: Int): SchedulePass

    suspend fun reap(limit: Int, retryDelay: Duration): List<ReapedJob>

    /** Whether [expireGates] or [releaseActiveKeys] may have something to do. */
    suspend fun needUpkeep(): Boolean

    suspend fun expireGates(limit: Int): List<ExpiredGate>

    suspend fun releaseActiveKeys(limit: Int): List<UUID>

    suspend fun prune(request: PruneRequest): PruneReport

    suspend fun pruneRuns(request: PruneRunsRequest): PrunedRuns

    suspend fun pruneFires(age: Duration, limit: Int): Int

    suspend fun prunePolls(age: Duration, limit: Int): Int

    suspend fun pruneWorkers(age: Duration, limit: Int): Int

    suspend fun registerHook(hook: String, jobTypes: List<String>)

    suspend fun takeLetters(hook: String, jobTypes: List<String>, limit: Int, lease: Duration): List<DeadLetterDelivery>

    /** Answers with those that another session holds, about which to say it again. */
    suspend fun lettersDelivered(deliveries: List<DeadLetterDelivery>): List<DeadLetterDelivery>

    suspend fun postponeLetters(delays: Map<DeadLetterDelivery, Duration>)

    suspend fun registerTrigger(trigger: String, every: Duration)

    suspend fun untilNextPoll(trigger: String): Duration?

    suspend fun takePoll(trigger: String, lease: Duration): TakenPoll?

    suspend fun settlePoll(poll: TakenPoll, result: PollResult): List<ScheduleFire>

    suspend fun failPoll(poll: TakenPoll, reason: String): List<ScheduleFire>

    suspend fun releasePoll(poll: TakenPoll)

    suspend fun enterFleet(card: WorkerCard, since: Instant?): Instant

    suspend fun beat(id: UUID, state: WorkerState, busySlots: Int): BeatAnswer?

    suspend fun leaveFleet(id: UUID)

    /** Asks no database. */
    fun retryPolicy(job: ClaimedJob): RetryPolicy

    /** Whether anybody gives hints at this moment. */
    val hasHints: Boolean

    /** Has [onHint] called, on any thread, until the answer is closed. */
    fun subscribe(onHint: (Hint) -> Unit): AutoCloseable
}

package io.runledger.coroutines.loop

import io.runledger.coroutines.port.ClaimPort
import io.runledger.coroutines.port.FleetPort
import io.runledger.coroutines.port.Hint
import io.runledger.coroutines.port.HintPort
import io.runledger.coroutines.port.HookPort
import io.runledger.coroutines.port.HousekeepingPort
import io.runledger.coroutines.port.LeasePort
import io.runledger.coroutines.port.Ports
import io.runledger.coroutines.port.SettlePort
import io.runledger.coroutines.port.StartPort
import io.runledger.coroutines.port.TriggerPort
import io.runledger.exposed.start.JobStarter
import io.runledger.model.fleet.BeatAnswer
import io.runledger.model.fleet.WorkerCard
import io.runledger.model.fleet.WorkerState
import io.runledger.model.job.Lease
import io.runledger.model.json.Json
import io.runledger.model.lease.ClaimRequest
import io.runledger.model.lease.ClaimedJob
import io.runledger.model.lease.DeadLetterDelivery
import io.runledger.model.lease.ReapedJob
import io.runledger.model.lease.Renewal
import io.runledger.model.lease.SettledJob
import io.runledger.model.lease.Verdict
import io.runledger.model.retention.PruneReport
import io.runledger.model.retention.PruneRequest
import io.runledger.model.retention.PruneRunsRequest
import io.runledger.model.retention.PrunedRuns
import io.runledger.model.retry.RetryPolicy
import io.runledger.model.run.ExpiredGate
import io.runledger.model.schedule.PollResult
import io.runledger.model.schedule.ScheduleFire
import io.runledger.model.schedule.SchedulePass
import io.runledger.model.schedule.TakenPoll
import io.runledger.model.value.UuidV7
import java.time.Duration
import java.time.Instant
import java.util.UUID

/** A ledger without a database: it returns the answers that a test sets, and records the calls. */
internal class ScriptedStore :
    ClaimPort,
    SettlePort,
    LeasePort,
    HousekeepingPort,
    HookPort,
    TriggerPort,
    FleetPort,
    HintPort,
    StartPort {
    val ports = Ports(this, this, this, this, this, this, this, this, this)
    val asked = mutableListOf<String>()
    val claims = mutableListOf<ClaimRequest>()
    val queue = ArrayDeque<ClaimedJob>()
    val unconfirmed = ArrayDeque<List<Lease>>()
    val released = mutableListOf<List<Lease>>()
    val renewed = mutableListOf<List<Lease>>()
    val settled = mutableListOf<Map<Lease, Verdict>>()
    val succeeded = mutableSetOf<UUID>()
    var onClaim: suspend () -> Unit = {}
    var onClaimNew: suspend () -> Unit = {}
    var onLook: suspend () -> Unit = {}
    var untilDue: Duration? = null

    /** Called with what a claim is to be told about due jobs with flow that it has left; null if there are none. */
    var flowWaiting: (((Duration?) -> Unit) -> Unit)? = null
    var untilNextFire: Duration? = null
    var onRenew: suspend (Lease) -> Renewal.Answer = { Renewal.Answer.RENEWED }
    var onSettle: suspend (Map<Lease, Verdict>) -> List<SettledJob> = { all -> all.map { it.done() } }
    val recorded = mutableListOf<Lease>()
    var onRecordStarts: suspend (List<Lease>) -> List<Lease> = { it }
    var onRelease: (Lease) -> SettledJob.Result = { SettledJob.Result.RELEASED }
    var onReleased: () -> Unit = {}
    var onReap: () -> List<ReapedJob> = { emptyList() }
    var onPrune: (PruneRequest) -> PruneReport = { PruneReport(0, 0, 0, 0, 0, emptyList(), null) }
    var onTakePoll: () -> TakenPoll? = { null }
    var onSettlePoll: (PollResult) -> List<ScheduleFire> = { emptyList() }
    var onPruneFires: (Int) -> Int = { 0 }
    var onPruneWorkers: (Int) -> Int = { 0 }
    var onEnter: suspend () -> Unit = {}
    var onBeat: suspend (WorkerState) -> BeatAnswer? = { BeatAnswer(false, null) }
    var onLeave: () -> Unit = {}
    var onPruneRuns: (PruneRunsRequest) -> PrunedRuns = { PrunedRuns(0, 0, emptyList(), null) }
    var onOvertime: () -> Boolean = { true }
    var needUpkeep = true
    var onExpire: (Int) -> List<ExpiredGate> = { emptyList() }
    var onFire: () -> SchedulePass = { SchedulePass(0, emptyList(), emptyList(), emptyList()) }
    var onTakeLetters: (Int) -> List<DeadLetterDelivery> = { emptyList() }
    var onLettersDelivered: () -> Unit = {}
    var isHeldLetter: (DeadLetterDelivery) -> Boolean = { false }
    val delivered = mutableListOf<DeadLetterDelivery>()
    val postponed = mutableListOf<Duration>()
    override var hasHints: Boolean = true

    /** The worker's starter. */
    var starter: JobStarter? = null

    /** Sends a hint to the subscriber. */
    var hint: (Hint) -> Unit = {}

    override fun register(starter: JobStarter): AutoCloseable {
        this.starter = starter
        return AutoCloseable { this.starter = null }
    }

    override suspend fun claim(
        request: ClaimRequest,
        onUnconfirmed: (List<Lease>) -> Unit,
        onFlowWaiting: (Duration?) -> Unit,
    ): List<ClaimedJob> {
        asked += "claim"
        claims += request
        if (unconfirmed.isNotEmpty()) {
            onUnconfirmed(unconfirmed.removeFirst())
            away()
        }
        onClaim()
        val counts = HashMap<String, Int>()
        val due = queue.filter { job ->
            val type = job.jobType()
            type in request.jobTypes() && counts.merge(type, 1, Int::plus)!! <= (request.typeLimits()[type] ?: Int.MAX_VALUE)
        }.take(request.limit())
        queue.removeAll(due.toSet())
        flowWaiting?.invoke(onFlowWaiting)
        return due
    }

    override suspend fun claimNew(id: UUID, request: ClaimRequest, onUnconfirmed: (List<Lease>) -> Unit): ClaimedJob? {
        asked += "claim new"
        onClaimNew()
        return queue.find { it.lease().jobId() == id }?.also { queue -= it }
    }

    override suspend fun untilDue(jobTypes: List<String>, withFlow: Boolean): Duration? {
        asked += "until due"
        onLook()
        return untilDue
    }

    override suspend fun renew(leases: List<Lease>, duration: Duration): List<Renewal> {
        asked += "renew"
        renewed += leases
        return leases.map { Renewal(it, onRenew(it), null) }
    }

    override suspend fun recordStarts(leases: List<Lease>): Set<UUID> {
        asked += "record starts"
        return onRecordStarts(leases).mapTo(HashSet()) { it.leaseId() }.also {
            recorded +=
                leases.filter { lease -> lease.leaseId() in it }
        }
    }

    override suspend fun settle(verdicts: Map<Lease, Verdict>): List<SettledJob> {
        val endings = verdicts.filterValues { it !is Verdict.Release }
        val answers = HashMap<Lease, SettledJob>()
        if (endings.isNotEmpty()) {
            asked += "settle"
            onSettle(endings).associateByTo(answers) { it.lease() }
            settled += endings
        }
        val given = (verdicts - endings.keys).keys.toList()
        if (given.isNotEmpty()) release(given, "released").associateByTo(answers) { it.lease() }
        return verdicts.keys.map(answers::getValue)
    }

    override suspend fun release(leases: List<Lease>, reason: String): List<SettledJob> {
        asked += "release"
        released += leases
        return leases.map { SettledJob(it, onRelease(it), Instant.EPOCH) }.also { onReleased() }
    }

    override suspend fun noteOvertime(lease: Lease, atMost: Duration): Boolean {
        asked += "overtime $atMost"
        return onOvertime()
    }

    override suspend fun succeeded(jobIds: List<UUID>): Set<UUID> = succeeded.intersect(jobIds.toSet()).also {
        asked +=
            "succeeded"
    }
    override suspend fun untilNextFire(): Duration? = untilNextFire.also { asked += "until fire" }
    override suspend fun fire(limit: Int): SchedulePass = onFire().also { asked += "fire" }
    override suspend fun reap(limit: Int, retryDelay: Duration): List<ReapedJob> = onReap().also { asked += "reap" }
    override suspend fun isUpkeepNeeded(): Boolean = needUpkeep.also { asked += "need upkeep" }
    override suspend fun expireGates(limit: Int): List<ExpiredGate> = onExpire(limit).also { asked += "expire gates" }
    override suspend fun releaseActiveKeys(limit: Int): List<UUID> = emptyList<UUID>().also { asked += "release keys" }
    override suspend fun prune(request: PruneRequest): PruneReport = onPrune(request).also { asked += "prune" }
    override suspend fun pruneRuns(request: PruneRunsRequest): PrunedRuns = onPruneRuns(request).also { asked += "prune runs" }
    override suspend fun prunePolls(age: Duration, limit: Int): Int = 0.also { asked += "prune polls" }
    override suspend fun pruneFires(age: Duration, limit: Int): Int = onPruneFires(limit).also { asked += "prune fires" }
    override suspend fun pruneWorkers(age: Duration, limit: Int): Int = onPruneWorkers(limit).also { asked += "prune workers" }

    override suspend fun pruneLimitKeys(age: Duration, limit: Int): Int = 0.also { asked += "prune limit keys" }
    override suspend fun enterFleet(card: WorkerCard, since: Instant?): Instant {
        asked += if (since == null) "enter" else "enter since $since"
        onEnter()
        return Instant.EPOCH
    }

    override suspend fun beat(id: UUID, state: WorkerState, busySlots: Int, heldJobs: Int): BeatAnswer? {
        asked += "beat $state $busySlots"
        return onBeat(state)
    }

    override suspend fun leaveFleet(id: UUID) {
        asked += "leave"
        onLeave()
    }

    override suspend fun registerHook(hook: String, jobTypes: List<String>) {
        asked += "register $hook $jobTypes"
    }

    override suspend fun takeLetters(
        hook: String,
        jobTypes: List<String>,
        limit: Int,
        lease: Duration,
    ): List<DeadLetterDelivery> = onTakeLetters(limit).also { asked += "take letters" }

    override suspend fun lettersDelivered(deliveries: List<DeadLetterDelivery>): List<DeadLetterDelivery> {
        asked += "delivered"
        onLettersDelivered()
        val (held, free) = deliveries.partition(isHeldLetter)
        delivered += free
        return held
    }

    override suspend fun postponeLetters(delays: Map<DeadLetterDelivery, Duration>) {
        asked += "postpone"
        postponed += delays.values
    }

    override suspend fun registerTrigger(trigger: String, every: Duration) {
        asked += "register trigger $trigger"
    }

    override suspend fun untilNextPoll(trigger: String): Duration? = Duration.ZERO.also { asked += "until poll" }
    override suspend fun takePoll(trigger: String, lease: Duration): TakenPoll? = onTakePoll().also { asked += "take poll" }
    override suspend fun settlePoll(poll: TakenPoll, result: PollResult): List<ScheduleFire> = onSettlePoll(result).also {
        asked += "settle poll"
    }

    override suspend fun failPoll(poll: TakenPoll, reason: String): List<ScheduleFire> = emptyList<ScheduleFire>().also {
        asked += "fail poll: $reason"
    }

    override suspend fun releasePoll(poll: TakenPoll) {
        asked += "release poll"
    }

    override fun retryPolicy(job: ClaimedJob): RetryPolicy = RetryPolicy.standard()
    override fun subscribe(onHint: (Hint) -> Unit): AutoCloseable {
        hint = onHint
        return AutoCloseable { hint = {} }
    }
}

internal fun Map.Entry<Lease, Verdict>.done(): SettledJob = SettledJob(
    key,
    when (value) {
        is Verdict.Succeed -> SettledJob.Result.SUCCEEDED
        is Verdict.Retry -> SettledJob.Result.RETRY_SCHEDULED
        else -> SettledJob.Result.DEAD_LETTERED
    },
    Instant.EPOCH.takeIf { value is Verdict.Retry },
)

fun claimedJob(
    type: String = "greet",
    step: ClaimedJob.ClaimedStep? = null,
    priority: Int = 100,
    maxAttempts: Int = 3,
    timeout: Duration = Duration.ofMinutes(1),
    payload: Json = Json.EMPTY_OBJECT,
): ClaimedJob = ClaimedJob(
    Lease(UuidV7.next(), 1, 1, "w1", UUID.randomUUID(), step != null),
    type,
    null,
    priority,
    maxAttempts,
    0,
    timeout,
    payload,
    null,
    null,
    emptyMap(),
    Instant.EPOCH,
    Instant.EPOCH,
    Instant.EPOCH,
    0,
    step,
)

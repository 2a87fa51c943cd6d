package io.runledger.coroutines.claim

import io.runledger.coroutines.WorkerConfig
import io.runledger.coroutines.port.ClaimPort
import io.runledger.coroutines.port.Hint
import io.runledger.coroutines.port.HintPort
import io.runledger.coroutines.servesDefaultQueue
import io.runledger.model.error.RunledgerException
import io.runledger.model.job.ClaimOrigin
import io.runledger.model.job.Lease
import io.runledger.model.lease.ClaimRequest
import io.runledger.model.lease.ClaimedJob
import kotlinx.coroutines.Job
import kotlinx.coroutines.NonCancellable
import kotlinx.coroutines.coroutineScope
import kotlinx.coroutines.currentCoroutineContext
import kotlinx.coroutines.delay
import kotlinx.coroutines.launch
import kotlinx.coroutines.withContext
import kotlinx.coroutines.withTimeoutOrNull
import org.slf4j.LoggerFactory
import java.util.UUID
import java.util.concurrent.atomic.AtomicReference
import kotlin.coroutines.CoroutineContext
import kotlin.coroutines.EmptyCoroutineContext
import kotlin.time.ComparableTimeMark
import kotlin.time.Duration
import kotlin.time.Duration.Companion.milliseconds
import kotlin.time.Duration.Companion.seconds
import kotlin.time.TimeSource
import kotlin.time.toKotlinDuration
import java.time.Duration as JavaDuration

/**
 * Claims as many jobs as there are free slots, and some ahead, and passes them to [start]. Between passes it sleeps until a
 * hint arrives, a slot becomes free or the next job is due, and for at most a poll interval, which grows while no job is due.
 */
internal class ClaimLoop(
    private val config: WorkerConfig,
    private val jobTypes: List<String>,
    private val port: ClaimPort,
    private val slots: Slots,
    private val clock: TimeSource.WithComparableMarks,
    private val wakeup: ClaimWakeup,
    private val hints: HintPort,
    /** How long slots stay reserved for a claim without an answer. */
    private val patience: Duration,
    private val gate: ClaimGate = ClaimGate(),
    /** Whether so many ended jobs wait for their settlement that no more are claimed. */
    private val isBehind: () -> Boolean = { false },
    /** Called after a claim: its reserved slots are free again. */
    private val onClaimed: () -> Unit = {},
    /** Starts a new job whose slot is taken. */
    private val startNew: (ClaimedJob, claimSentAt: ComparableTimeMark) -> Unit = { _, _ -> },
    /** Called if a slot that was taken for a new job is not used. */
    private val freeSlot: (jobType: String) -> Unit = {},
    private val start: (List<ClaimedJob>, claimSentAt: ComparableTimeMark, isAhead: Boolean) -> Unit,
) {
    private val unconfirmed = UnconfirmedClaims(config.lease.toKotlinDuration(), port, clock)

    /** Whether a job was due after the last claim. */
    private var isDueStill = false

    /** After the last claim: the time after which jobs with flow that it has left may be claimed; null if it is unknown. */
    private var flowRetry: Duration? = null

    /** Whether the last pass claimed nothing although a job was due, so that the next pass tries once more. */
    private var isSecondTry = false

    /** A job that a hint has named while no other job was known to be due. */
    private class NewJob(val id: UUID, val jobType: String)

    private val named = AtomicReference<NewJob>()

    /** Where a claim is watched while the loop's own thread waits for its answer. */
    private var timers: CoroutineContext = EmptyCoroutineContext

    suspend fun run(): Nothing = try {
        timers = currentCoroutineContext().minusKey(Job)
        wakeup.ticker.runIn(port.place, ::runOnce)
    } finally {
        slots.rest()
        lastTry()
    }

    /**
     * Releases the jobs of unconfirmed claims. Then, if the gate is open, makes one claim, or only checks whether a job is due.
     * Returns the pause until the next pass.
     */
    suspend fun runOnce(): Duration {
        val retry = unconfirmed.release()
        return minOf(retry, passGate())
    }

    private suspend fun passGate(): Duration {
        if (!gate.pass()) {
            slots.rest()
            wakeup.ticker.idle()
            return Duration.INFINITE
        }
        return try {
            claimOrLook()
        } finally {
            gate.passed()
        }
    }

    private suspend fun claimOrLook(): Duration {
        val known = wakeup.catchUp()
        val newJob = named.getAndSet(null)
        if (newJob != null && claimNew(newJob)) {
            // Further jobs may be due, whose notifications were omitted.
            wakeup.isQuiet = true
            return Duration.ZERO
        }
        return look(known) ?: if (isBehind()) BEHIND else claimDue(known)
    }

    /** After passes that found nothing: the pause if no job is due, else null. */
    private suspend fun look(known: Long): Duration? {
        if (!wakeup.isQuiet) return null
        wakeup.isQuiet = false
        // Reserves no slots: without an answer, other ledgers could not use them.
        val open = slots.open
        val due = if (open.isEmpty()) Duration.ZERO else untilDue(open, withFlow = true)
        if (due != null && due <= Duration.ZERO) return null
        if (open.size == jobTypes.size) wakeup.caughtUp(known)
        return rest(due, poll())
    }

    private suspend fun claimDue(known: Long): Duration {
        wakeup.isShortOfSlots = true
        val offer = slots.offer(config.claimBatchSize) ?: return Duration.INFINITE
        wakeup.isShortOfSlots = offer.isNarrowed
        wakeup.isFlowWaiting = false
        flowRetry = null
        val claimed = try {
            claim(offer)
        } finally {
            slots.leave()
            onClaimed()
        }
        if (claimed.isNotEmpty()) wakeup.pollDelay.reset()
        if (wakeup.isFlowWaiting && offer.free == 0) wakeup.isShortOfSlots = true
        val tookAll = tookAll(offer, claimed)
        if (tookAll) slots.tookAll()
        if (claimed.size == offer.limit || offer.isPartial) return Duration.ZERO
        val pause = pause(offer)
        if (tookAll && !isDueStill) wakeup.caughtUp(known)
        return pause
    }

    /** A job that this process has enqueued may be leased to the worker, which has no answer: releases it. */
    fun onUnconfirmed(lease: Lease) {
        unconfirmed.add(listOf(lease))
        wakeup.wake()
    }

    fun onHint(hint: Hint) {
        val isNews = when (hint) {
            is Hint.Due -> hint.jobType in jobTypes
            is Hint.Canceled, is Hint.PausedType, is Hint.PausedRun, Hint.Ordered -> false
            Hint.FreedPermits -> wakeup.isFlowWaiting
            Hint.Missed -> true
        }
        // Without other due jobs, the new one is what a claim would take next.
        if (isNews && wakeup.isCaughtUp && config.servesDefaultQueue) (hint as? Hint.Due)?.let(::name)
        if (isNews) wakeup.wake()
    }

    private fun name(hint: Hint.Due) {
        if (hint.newJob != null) named.set(NewJob(hint.newJob, hint.jobType))
    }

    /** Claims a job that a hint has named, if a slot is free. Returns whether the ledger was asked for it. */
    private suspend fun claimNew(job: NewJob): Boolean {
        if (isBehind() || !slots.takeIdle(job.jobType)) return false
        var claimed: ClaimedJob? = null
        try {
            withContext(NonCancellable) {
                val sentAt = clock.markNow()
                val request = ClaimRequest.of(listOf(job.jobType), config.workerId, config.lease, 1)
                claimed = port.claimNew(job.id, request, unconfirmed::add)
                claimed?.let { startNew(it, sentAt) }
            }
        } finally {
            if (claimed == null) freeSlot(job.jobType)
        }
        return true
    }

    // The worker must run or release the jobs it has claimed, so a claim in progress is never cancelled.
    private suspend fun claim(offer: Slots.Offer): List<ClaimedJob> = withContext(NonCancellable) {
        val sentAt = clock.markNow()
        val origin = if (offer.isAhead) ClaimOrigin.WORKER_PRESTART else ClaimOrigin.DIRECT
        val request = ClaimRequest(
            offer.jobTypes,
            config.workerId,
            config.lease,
            offer.limit,
            origin,
            offer.typeLimits,
            offer.free,
            config.queues,
        )
        val jobs = leavingWhenLate { port.claim(request, unconfirmed::add, ::onFlowWaiting) }
        start(jobs, sentAt, offer.isAhead)
        jobs
    }

    private fun onFlowWaiting(retryIn: JavaDuration?) {
        wakeup.isFlowWaiting = true
        flowRetry = retryIn?.toKotlinDuration()
    }

    /** Whether a claim took all due jobs of all types: it was limited neither as a whole nor for a type. */
    private fun tookAll(offer: Slots.Offer, claimed: List<ClaimedJob>): Boolean =
        claimed.size < offer.limit && offer.jobTypes.size == jobTypes.size &&
            offer.typeLimits.none { (type, most) -> claimed.count { it.jobType() == type } >= most }

    /** A claim that takes longer than [patience] returns its reserved slots. Its jobs are started all the same. */
    private suspend fun <T> leavingWhenLate(ask: suspend () -> T): T = if (slots.isShared) watchingShared(ask) else ask()

    private suspend fun <T> watchingShared(ask: suspend () -> T): T = coroutineScope {
        val late = launch(timers) {
            delay(patience)
            slots.leave()
        }
        ask().also { late.cancel() }
    }

    private suspend fun pause(offer: Slots.Offer): Duration = minOf(flowRetry ?: Duration.INFINITE, pauseOf(offer))

    private suspend fun pauseOf(offer: Slots.Offer): Duration {
        val poll = poll()
        isDueStill = false
        if (poll < WORTH_ASKING) return poll
        val due = untilDue(offer.jobTypes, withFlow = false)
        isDueStill = due != null && due <= Duration.ZERO
        isSecondTry = isDueStill && !isSecondTry
        return when {
            !isDueStill -> rest(due, poll)

            // Due but not claimed: the job has become due since the claim, or another session held it.
            isSecondTry -> Duration.ZERO

            // Another session still holds it.
            else -> config.pollInterval.toKotlinDuration()
        }
    }

    /** The pause until the next job is [due], followed by a claim; or the [poll] interval, followed by a check for due jobs. */
    private fun rest(due: Duration?, poll: Duration): Duration {
        val known = due?.plus(ROUNDING)?.takeIf { it < poll }
        wakeup.isQuiet = known == null
        return known ?: poll
    }

    /** Releases unconfirmed claims before the loop ends. If that fails, their leases expire. */
    private suspend fun lastTry() = withContext(NonCancellable) {
        try {
            withTimeoutOrNull(LAST_TRY) { unconfirmed.release() }
        } catch (failure: RunledgerException) {
            log.warn("The jobs of an unconfirmed claim could not be released; their leases expire.", failure)
        }
    }

    private fun poll(): Duration =
        if (hints.hasHints) wakeup.pollDelay.next() else minOf(wakeup.pollDelay.next(), LONGEST_WITHOUT_HINTS)

    private suspend fun untilDue(jobTypes: List<String>, withFlow: Boolean): Duration? =
        port.untilDue(jobTypes, withFlow)?.toKotlinDuration()

    private companion object {
        /** The pause while settlements are behind. */
        val BEHIND = 50.milliseconds

        val WORTH_ASKING = 1.seconds
        val ROUNDING = 1.milliseconds
        val LONGEST_WITHOUT_HINTS = 5.seconds
        val LAST_TRY = 1.seconds
        val log = LoggerFactory.getLogger(ClaimLoop::class.java)
    }
}

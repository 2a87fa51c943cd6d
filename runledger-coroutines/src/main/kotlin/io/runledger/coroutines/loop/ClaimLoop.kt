package io.runledger.coroutines.loop

import io.runledger.coroutines.WorkerConfig
import io.runledger.coroutines.store.Hint
import io.runledger.coroutines.store.LeaseStore
import io.runledger.model.error.RunledgerException
import io.runledger.model.spec.ClaimRequest
import io.runledger.model.state.ClaimedJob
import kotlinx.coroutines.NonCancellable
import kotlinx.coroutines.coroutineScope
import kotlinx.coroutines.delay
import kotlinx.coroutines.launch
import kotlinx.coroutines.withContext
import kotlinx.coroutines.withTimeoutOrNull
import org.slf4j.LoggerFactory
import kotlin.time.ComparableTimeMark
import kotlin.time.Duration
import kotlin.time.Duration.Companion.milliseconds
import kotlin.time.Duration.Companion.seconds
import kotlin.time.TimeSource
import kotlin.time.toKotlinDuration

/**
 * Claims as many jobs as there is room for and hands them to [start]. Between passes it sleeps: until a hint, until a place
 * is free, until the next job is due, and at the latest for a poll interval that grows while nothing comes.
 */
internal class ClaimLoop(
    private val config: WorkerConfig,
    private val jobTypes: List<String>,
    private val store: LeaseStore,
    private val slots: Slots,
    private val clock: TimeSource.WithComparableMarks,
    private val ticker: Ticker,
    /** How long places are kept for a claim that is not answered. */
    private val patience: Duration,
    private val gate: ClaimGate = ClaimGate(),
    private val start: (List<ClaimedJob>, claimSentAt: ComparableTimeMark) -> Unit,
) {
    private val unconfirmed = UnconfirmedClaims(config.lease.toKotlinDuration(), store, clock)
    private val idle = Pace(config.pollInterval.toKotlinDuration(), config.maxPollInterval.toKotlinDuration())

    /** Whether a place that becomes free can make a difference: the last pass left something out for lack of room. */
    @Volatile
    private var isShortOfRoom = false

    /** Whether the next pass is one of many that find nothing: then a look, which is cheaper, comes before the claim. */
    @Volatile
    private var isQuiet = false

    /** Whether the last pass found nothing although something was due, and the next one tries once more. */
    private var isSecondTry = false

    suspend fun run(): Nothing = try {
        ticker.run(::runOnce)
    } finally {
        slots.rest()
        lastTry()
    }

    /**
     * Gives back what an earlier claim left in doubt; then one claim, or a look whether one is worth it, if the gate is open.
     * Answers how long to wait for the next pass.
     */
    suspend fun runOnce(): Duration {
        val retry = unconfirmed.giveBack()
        return minOf(retry, passGate())
    }

    private suspend fun passGate(): Duration {
        if (!gate.pass()) {
            slots.rest()
            ticker.idle()
            return Duration.INFINITE
        }
        return try {
            claimOrLook()
        } finally {
            gate.passed()
        }
    }

    private suspend fun claimOrLook(): Duration {
        if (isQuiet) {
            isQuiet = false
            // Takes no places, which others would miss for as long as it is not answered.
            val open = slots.open
            val due = if (open.isEmpty()) Duration.ZERO else untilDue(open)
            if (due == null || due > Duration.ZERO) return rest(due, poll())
        }
        isShortOfRoom = true
        val room = slots.room(config.claimBatchSize) ?: return Duration.INFINITE
        isShortOfRoom = room.isNarrowed
        val claimed = try {
            claim(room)
        } finally {
            slots.leave()
        }
        if (claimed > 0) idle.reset()
        return if (claimed == room.limit) Duration.ZERO else pause(room)
    }

    fun onHint(hint: Hint) {
        val isNews = when (hint) {
            is Hint.Due -> hint.jobType in jobTypes
            is Hint.Canceled, Hint.Ordered -> false
            Hint.Missed -> true
        }
        if (isNews) wake()
    }

    /** There may be something to claim. */
    fun wake() {
        isQuiet = false
        idle.reset()
        ticker.wake()
    }

    fun onFreeSlot() {
        if (isShortOfRoom) ticker.wake()
    }

    // What was claimed is this worker's to run or to give back, so a claim that is under way is never left behind.
    private suspend fun claim(room: Slots.Room): Int = withContext(NonCancellable) {
        val sentAt = clock.markNow()
        val request = ClaimRequest.of(room.jobTypes, config.workerId, config.lease, room.limit).withTypeLimits(room.typeLimits)
        val jobs = leavingWhenLate { store.claim(request, unconfirmed::add) }
        start(jobs, sentAt)
        jobs.size
    }

    /** Who waits too long for its jobs does so outside, where it keeps nobody from a place; they come in all the same. */
    private suspend fun <T> leavingWhenLate(ask: suspend () -> T): T = coroutineScope {
        val late = launch {
            delay(patience)
            slots.leave()
        }
        ask().also { late.cancel() }
    }

    private suspend fun pause(room: Slots.Room): Duration {
        val poll = poll()
        if (poll < WORTH_ASKING) return poll
        val due = untilDue(room.jobTypes)
        isSecondTry = due != null && due <= Duration.ZERO && !isSecondTry
        return when {
            due == null || due > Duration.ZERO -> rest(due, poll)

            // Due already and yet not claimed: it has become due meanwhile, or another session held it.
            isSecondTry -> Duration.ZERO

            // Another session still holds it.
            else -> config.pollInterval.toKotlinDuration()
        }
    }

    /** Until the next job is [due], which is then claimed; or for a [poll] interval, after which it is looked again. */
    private fun rest(due: Duration?, poll: Duration): Duration {
        val known = due?.plus(ROUNDING)?.takeIf { it < poll }
        isQuiet = known == null
        return known ?: poll
    }

    /** What cannot be given back now runs out. */
    private suspend fun lastTry() = withContext(NonCancellable) {
        try {
            withTimeoutOrNull(LAST_TRY) { unconfirmed.giveBack() }
        } catch (failure: RunledgerException) {
            log.warn("What a claim that was not confirmed may have leased could not be given back, and runs out.", failure)
        }
    }

    private fun poll(): Duration = if (store.hasHints) idle.next() else minOf(idle.next(), LONGEST_WITHOUT_HINTS)

    private suspend fun untilDue(jobTypes: List<String>): Duration? = store.untilDue(jobTypes)?.toKotlinDuration()

    private companion object {
        val WORTH_ASKING = 1.seconds
        val ROUNDING = 1.milliseconds
        val LONGEST_WITHOUT_HINTS = 5.seconds
        val LAST_TRY = 1.seconds
        val log = LoggerFactory.getLogger(ClaimLoop::class.java)
    }
}

package io.runledger.coroutines.claim

import io.runledger.coroutines.WorkerConfig
import io.runledger.coroutines.loop.DoublingDelay
import io.runledger.coroutines.loop.Ticker
import java.util.concurrent.atomic.AtomicLong
import kotlin.time.toKotlinDuration

/** Wakes the claim loop when there may be something to claim, or a free slot for it. */
internal class ClaimWakeup(config: WorkerConfig, val ticker: Ticker, private val hasFewHeld: () -> Boolean = { true }) {
    /** The poll interval, which grows while nothing is due. */
    val pollDelay = DoublingDelay(config.pollInterval.toKotlinDuration(), config.maxPollInterval.toKotlinDuration())

    /** Whether a slot that becomes free allows a further claim: the last pass left out jobs for lack of slots. */
    @Volatile
    var isShortOfSlots = false

    /** Whether the last passes found nothing: the next one only looks for due jobs, which is cheaper than a claim. */
    @Volatile
    var isQuiet = false

    /** Whether the last claim left due jobs with flow: they wait for a permit, for their turn or for a slot. */
    @Volatile
    var isFlowWaiting = false

    private val news = AtomicLong()

    /** The number of [news] that the last claim which left no due job has seen. */
    @Volatile
    private var seen = NONE

    /** Whether the last claim left no due job, and nothing has indicated a further one since. */
    val isCaughtUp: Boolean get() = seen == news.get()

    /** A claim begins. Returns what [caughtUp] needs. */
    fun catchUp(): Long {
        seen = NONE
        return news.get()
    }

    /** The claim that began with [known] left no due job. */
    fun caughtUp(known: Long) {
        seen = known
    }

    /** There may be something to claim. */
    fun wake() {
        news.incrementAndGet()
        isQuiet = false
        pollDelay.reset()
        ticker.wake()
    }

    /** Jobs that wait for a permit or for their turn may be claimed. */
    fun onFreedPermits() {
        if (isFlowWaiting) wake()
    }

    fun onFreeSlot() {
        if (isShortOfSlots && hasFewHeld()) ticker.wake()
    }

    private companion object {
        const val NONE = -1L
    }
}

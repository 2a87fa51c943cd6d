package io.runledger.coroutines.loop

import io.runledger.coroutines.store.Hint
import io.runledger.coroutines.store.LeaseStore
import io.runledger.model.error.ErrorCode
import io.runledger.model.error.RunledgerException
import io.runledger.model.error.UnavailableException
import io.runledger.model.spec.WorkerCard
import io.runledger.model.state.BeatAnswer
import io.runledger.model.state.WorkerOrder
import io.runledger.model.state.WorkerState
import kotlinx.coroutines.CoroutineScope
import kotlinx.coroutines.Job
import kotlinx.coroutines.cancelAndJoin
import kotlinx.coroutines.currentCoroutineContext
import kotlinx.coroutines.ensureActive
import kotlinx.coroutines.launch
import kotlinx.coroutines.withTimeoutOrNull
import org.slf4j.LoggerFactory
import java.time.Instant
import kotlin.time.Duration
import kotlin.time.toKotlinDuration

/**
 * Keeps the worker on the list, says what it does, and obeys what it is told.
 *
 * While its row says that it drains, it claims nothing: the row says so once the last claim has passed, and the gate opens only
 * after a look that began when the row said that it works. A worker that cannot look, for want of rights or of an answer, works.
 */
internal class BeatLoop(
    private val card: WorkerCard,
    private val patience: Duration,
    private val store: LeaseStore,
    private val slots: Slots,
    private val gate: ClaimGate,
    private val ticker: Ticker,
    private val onStop: (WorkerOrder) -> Unit,
) {
    private val interval = card.beatInterval().toKotlinDuration()
    private var running: Job? = null
    private var hasLooked = false

    /** Since when it runs, by the database's clock; null before it has come. */
    private var since: Instant? = null

    /** What the row says; null while there is none. */
    private var written: WorkerState? = null

    @Volatile
    private var isToDrain = false

    @Volatile
    private var isStopping = false

    fun start(scope: CoroutineScope): Job = scope.launch { ticker.run(::runOnce) }.also { running = it }

    /** One beat. Asks for another at once when the worker does something else now than the beat said. */
    suspend fun runOnce(): Duration {
        val said = state()
        val answer = look(said) ?: return interval
        if (answer.isToDrain != isToDrain) log.info("Worker {} {}.", card.workerId(), if (isToDrain) "is resumed" else "drains")
        isToDrain = answer.isToDrain
        if (isToDrain) {
            gate.close()
        } else if (said == WorkerState.WORKING && written == said && !isStopping) {
            gate.open()
        }
        written = said
        hasLooked = true
        answer.stopOrder()?.let(onStop)
        val isSettled = isStopping || isToDrain || gate.isOpen
        return if (isSettled && state() == said) interval else Duration.ZERO
    }

    fun onHint(hint: Hint) {
        if (hint == Hint.Ordered || hint == Hint.Missed) ticker.wake()
    }

    fun onFreeSlot() {
        if (isToDrain && slots.busy == 0) ticker.wake()
    }

    /** The last claim under way when the gate closed has passed. */
    fun onShut() = ticker.wake()

    /** The worker ends, and claims nothing from now on. */
    fun stop() {
        isStopping = true
        gate.close()
        ticker.wake()
    }

    /** The worker has ended. What cannot be written within [limit] is not. */
    suspend fun leave(limit: Duration) {
        // A beat that was left behind is over before this is done: they take turns.
        running?.cancelAndJoin()
        try {
            withTimeoutOrNull(limit) { store.leaveFleet(card.id()) }
        } catch (failure: Throwable) {
            // Whatever it is, a pool that was closed say, the end of the worker goes on.
            currentCoroutineContext().ensureActive()
            log.debug("Worker {} stays on the list: {}", card.workerId(), failure.toString())
        }
    }

    private fun state(): WorkerState = when {
        isStopping -> WorkerState.STOPPING
        !isToDrain || !gate.isShut -> WorkerState.WORKING
        slots.busy > 0 -> WorkerState.DRAINING
        else -> WorkerState.DRAINED
    }

    /** Null for a failure that trying again soon would not mend. */
    private suspend fun look(state: WorkerState): BeatAnswer? = try {
        withTimeoutOrNull(patience) { beat(state) } ?: throw unanswered().also { workWithoutLooking() }
    } catch (failure: Throwable) {
        currentCoroutineContext().ensureActive()
        if (failure.passes) throw failure
        workWithoutLooking()
        ticker.failed(failure)
        null
    }

    private suspend fun beat(state: WorkerState): BeatAnswer {
        while (true) {
            if (written == null) enter()
            store.beat(card.id(), state, slots.busy)?.let { return it }
            // Somebody took it off the list, where it was believed to be gone for good.
            written = null
        }
    }

    private suspend fun enter() {
        since = store.enterFleet(card, since)
        written = WorkerState.WORKING
    }

    private fun workWithoutLooking() {
        if (!hasLooked && !isStopping) gate.open()
    }

    private fun unanswered() = UnavailableException(
        ErrorCode.DB_UNREACHABLE,
        "The ledger did not answer a beat within $patience: check the database and the network.",
    )

    private companion object {
        val log = LoggerFactory.getLogger(BeatLoop::class.java)

        /** Whether trying again soon may help. */
        val Throwable.passes: Boolean get() = this is RunledgerException && isTransient
    }
}

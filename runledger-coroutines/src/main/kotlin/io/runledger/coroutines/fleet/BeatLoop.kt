package io.runledger.coroutines.fleet

import io.runledger.coroutines.attempt.RunningJobs
import io.runledger.coroutines.claim.ClaimGate
import io.runledger.coroutines.claim.Slots
import io.runledger.coroutines.loop.Ticker
import io.runledger.coroutines.port.FleetPort
import io.runledger.coroutines.port.Hint
import io.runledger.model.error.ErrorCode
import io.runledger.model.error.RunledgerException
import io.runledger.model.error.UnavailableException
import io.runledger.model.fleet.BeatAnswer
import io.runledger.model.fleet.WorkerCard
import io.runledger.model.fleet.WorkerOrder
import io.runledger.model.fleet.WorkerState
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
 * Sends the heartbeats of the worker, which keep it on the list and report its state, and executes its orders.
 *
 * While the worker's row has a draining state, the worker claims nothing: the state is written after the last claim has passed,
 * and the gate opens only after a heartbeat that started when the row had the working state. If the worker cannot read its
 * orders, for lack of permission or of an answer, it works.
 */
internal class BeatLoop(
    private val card: WorkerCard,
    private val patience: Duration,
    private val port: FleetPort,
    private val slots: Slots,
    private val attempts: RunningJobs,
    private val gate: ClaimGate,
    private val ticker: Ticker,
    private val onStop: (WorkerOrder) -> Unit,
) {
    private val interval = card.beatInterval().toKotlinDuration()
    private var running: Job? = null
    private var hasAnswer = false

    /** Since when the worker runs, by the database's clock; null until it is registered. */
    private var since: Instant? = null

    /** The state in the worker's row; null while there is no row. */
    private var written: WorkerState? = null

    @Volatile
    private var isToDrain = false

    @Volatile
    private var isStopping = false

    fun start(scope: CoroutineScope): Job = scope.launch { ticker.run(::runOnce) }.also { running = it }

    /** Sends one heartbeat. Returns zero if the worker's state has changed since, so that the next one follows at once. */
    suspend fun runOnce(): Duration {
        val reported = state()
        val answer = beatOrNull(reported) ?: return interval
        if (answer.isToDrain != isToDrain) log.info("Worker {} {}.", card.workerId(), if (isToDrain) "is resumed" else "drains")
        isToDrain = answer.isToDrain
        if (isToDrain) {
            gate.close()
        } else if (reported == WorkerState.WORKING && written == reported && !isStopping) {
            gate.open()
        }
        written = reported
        hasAnswer = true
        answer.stopOrder()?.let(onStop)
        val isSettled = isStopping || isToDrain || gate.isOpen
        return if (isSettled && state() == reported) interval else Duration.ZERO
    }

    fun onHint(hint: Hint) {
        if (hint == Hint.Ordered || hint == Hint.Missed) ticker.wake()
    }

    fun onFreeSlot() {
        if (isToDrain && isIdle) ticker.wake()
    }

    /** The worker stops, and claims nothing from now on. */
    fun stop() {
        isStopping = true
        gate.close()
        ticker.wake()
    }

    /** The worker has ended. Removes its row, but waits for at most [limit]. */
    suspend fun leave(limit: Duration) {
        // A heartbeat in progress ends before the row is removed: both use the same lane.
        running?.cancelAndJoin()
        try {
            withTimeoutOrNull(limit) { port.leaveFleet(card.id()) }
        } catch (failure: Throwable) {
            // No failure, for example of a closed pool, may stop the shutdown of the worker.
            currentCoroutineContext().ensureActive()
            log.debug("Worker {} stays on the list: {}", card.workerId(), failure.toString())
        }
    }

    /** A handler that ignores its stop keeps its slot although its attempt has ended. */
    private val isIdle: Boolean get() = slots.busy == 0 && attempts.isEmpty

    private fun state(): WorkerState = when {
        isStopping -> WorkerState.STOPPING
        !isToDrain || !gate.isShut -> WorkerState.WORKING
        !isIdle -> WorkerState.DRAINING
        else -> WorkerState.DRAINED
    }

    /** Null after a failure that an early retry cannot resolve. */
    private suspend fun beatOrNull(state: WorkerState): BeatAnswer? = try {
        withTimeoutOrNull(patience) { beat(state) } ?: throw unanswered().also { workWithoutAnswer() }
    } catch (failure: Throwable) {
        currentCoroutineContext().ensureActive()
        if (failure.passes) throw failure
        workWithoutAnswer()
        ticker.failed(failure)
        null
    }

    private suspend fun beat(state: WorkerState): BeatAnswer {
        while (true) {
            if (written == null) enter()
            port.beat(card.id(), state, slots.busy, slots.held)?.let { return it }
            // The row was deleted, because the worker counted as lost.
            written = null
        }
    }

    private suspend fun enter() {
        since = port.enterFleet(card, since)
        written = WorkerState.WORKING
    }

    private fun workWithoutAnswer() {
        if (!hasAnswer && !isStopping) gate.open()
    }

    private fun unanswered() = UnavailableException(
        ErrorCode.DB_UNREACHABLE,
        "The ledger did not answer a heartbeat within $patience: check the database and the network.",
    )

    private companion object {
        val log = LoggerFactory.getLogger(BeatLoop::class.java)

        /** Whether an early retry may help. */
        val Throwable.passes: Boolean get() = this is RunledgerException && isTransient
    }
}

package io.runledger.coroutines.loop

import io.runledger.coroutines.store.LeaseStore
import io.runledger.coroutines.watch.Observers
import io.runledger.model.error.ErrorCode
import io.runledger.model.error.LeaseLostException
import io.runledger.model.error.UnavailableException
import io.runledger.model.spec.PollResult
import io.runledger.model.state.TakenPoll
import kotlinx.coroutines.CancellationException
import kotlinx.coroutines.CompletableDeferred
import kotlinx.coroutines.CoroutineScope
import kotlinx.coroutines.NonCancellable
import kotlinx.coroutines.delay
import kotlinx.coroutines.launch
import kotlinx.coroutines.selects.select
import kotlinx.coroutines.withContext
import kotlinx.coroutines.withTimeoutOrNull
import org.slf4j.LoggerFactory
import java.util.concurrent.TimeoutException
import kotlin.time.ComparableTimeMark
import kotlin.time.Duration
import kotlin.time.Duration.Companion.hours
import kotlin.time.Duration.Companion.milliseconds
import kotlin.time.Duration.Companion.seconds
import kotlin.time.TimeSource
import kotlin.time.toJavaDuration
import kotlin.time.toKotlinDuration

/**
 * Polls one trigger when the ledger says that it is due and gives the poll to this worker. A poll that fails is noted and starts
 * nothing; one that does not end in time, or when the worker does, is left behind.
 */
internal class TriggerLoop(
    private val trigger: Trigger,
    private val interval: Duration,
    private val timeout: Duration,
    private val stopGrace: Duration,
    private val store: LeaseStore,
    private val observers: Observers,
    private val calls: CoroutineScope,
    private val clock: TimeSource.WithComparableMarks,
    private val ticker: Ticker,
) {
    private val stopping = CompletableDeferred<Unit>()
    private var nextRegistration: ComparableTimeMark = clock.markNow()

    suspend fun run(): Nothing = ticker.run(::runOnce)

    /** Asks the call under way to stop; its poll is given back. */
    fun stop() {
        stopping.complete(Unit)
    }

    /** Polls if it is time. A poll that was taken is never left behind half-way. */
    suspend fun runOnce(): Duration = withContext(NonCancellable) {
        register()
        val due = store.untilNextPoll(trigger.name)?.toKotlinDuration() ?: interval
        if (due > Duration.ZERO) return@withContext minOf(due + ROUNDING, interval)
        val lease = timeout + stopGrace + WRITING
        val until = clock.markNow() + lease
        val poll = store.takePoll(trigger.name, lease.toJavaDuration()) ?: return@withContext HELD_ELSEWHERE
        end(poll, call(poll), until)
        Duration.ZERO
    }

    private suspend fun register() {
        if (nextRegistration.hasNotPassedNow()) return
        store.registerTrigger(trigger.name, trigger.every)
        nextRegistration = clock.markNow() + REGISTERED_FOR
    }

    /** While another session holds the trigger, and the poll is still this worker's, it is tried again. */
    private suspend fun end(poll: TakenPoll, result: Result<PollResult>, until: ComparableTimeMark) {
        while (true) {
            try {
                return write(poll, result)
            } catch (held: UnavailableException) {
                if (held.code() != ErrorCode.DB_LOCK_TIMEOUT || until.hasPassedNow() || stopping.isCompleted) throw held
                delay(HELD_ELSEWHERE)
            }
        }
    }

    private suspend fun write(poll: TakenPoll, result: Result<PollResult>) {
        try {
            val noted = result.fold(
                { store.settlePoll(poll, it) },
                { failure -> if (stopping.isCompleted) giveBack(poll) else fail(poll, failure) },
            )
            noted.forEach { fire -> observers.tell { fired(fire) } }
        } catch (lost: LeaseLostException) {
            log.warn("What trigger '{}' found is not started by this worker: {}", trigger.name, lost.message)
        }
    }

    private suspend fun giveBack(poll: TakenPoll) = emptyList<Nothing>().also { store.releasePoll(poll) }

    private suspend fun fail(poll: TakenPoll, failure: Throwable) = run {
        log.warn("Trigger '{}' failed; it is polled again in its time.", trigger.name, failure)
        store.failPoll(poll, "${failure.javaClass.name}: ${failure.message.orEmpty()}".take(LONGEST_REASON))
    }

    private suspend fun call(poll: TakenPoll): Result<PollResult> {
        var result: Result<PollResult>? = null
        val call = calls.launch { result = runCatching { trigger.poll(poll) } }
        withTimeoutOrNull(timeout) {
            select {
                call.onJoin {}
                stopping.onAwait {}
            }
        }
        if (call.isCompleted) result?.let { return it }
        call.cancel(CancellationException("The poll did not end within $timeout, or before the worker did."))
        withTimeoutOrNull(stopGrace) { call.join() }
        // It may have found something all the same.
        return result?.takeIf { call.isCompleted && it.isSuccess }
            ?: Result.failure(TimeoutException("The poll did not end within $timeout."))
    }

    private companion object {
        const val LONGEST_REASON = 2_000
        val ROUNDING = 1.milliseconds
        val HELD_ELSEWHERE = 200.milliseconds
        val REGISTERED_FOR = 6.hours
        val WRITING = 2.seconds
        val log = LoggerFactory.getLogger(TriggerLoop::class.java)
    }
}

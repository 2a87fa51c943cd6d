package io.runledger.coroutines.trigger

import io.runledger.coroutines.loop.Ticker
import io.runledger.coroutines.port.TriggerPort
import io.runledger.coroutines.watch.Observers
import io.runledger.model.error.ErrorCode
import io.runledger.model.error.LeaseLostException
import io.runledger.model.error.UnavailableException
import io.runledger.model.schedule.PollResult
import io.runledger.model.schedule.TakenPoll
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
 * Polls one trigger when it is due and the ledger assigns the poll to this worker. A poll that fails is recorded and starts
 * nothing. The loop does not wait for a call that ignores its timeout or the end of the worker.
 */
internal class TriggerLoop(
    private val trigger: Trigger,
    private val interval: Duration,
    private val timeout: Duration,
    private val stopGrace: Duration,
    private val port: TriggerPort,
    private val observers: Observers,
    private val calls: CoroutineScope,
    private val clock: TimeSource.WithComparableMarks,
    private val ticker: Ticker,
) {
    private val stopping = CompletableDeferred<Unit>()
    private var nextRegistration: ComparableTimeMark = clock.markNow()

    suspend fun run(): Nothing = ticker.run(::runOnce)

    /** Asks the call in progress to stop; its poll is released. */
    fun stop() {
        stopping.complete(Unit)
    }

    /** Polls if the trigger is due. Not cancellable, so that every poll that is taken is also settled. */
    suspend fun runOnce(): Duration = withContext(NonCancellable) {
        register()
        val due = port.untilNextPoll(trigger.name)?.toKotlinDuration() ?: interval
        if (due > Duration.ZERO) return@withContext minOf(due + ROUNDING, interval)
        val lease = timeout + stopGrace + WRITING
        val until = clock.markNow() + lease
        val poll = port.takePoll(trigger.name, lease.toJavaDuration()) ?: return@withContext HELD_ELSEWHERE
        end(poll, call(poll), until)
        Duration.ZERO
    }

    private suspend fun register() {
        if (nextRegistration.hasNotPassedNow()) return
        port.registerTrigger(trigger.name, trigger.every)
        nextRegistration = clock.markNow() + REGISTERED_FOR
    }

    /** If another session locks the trigger, retries as long as the poll is leased to this worker. */
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
            val recorded = result.fold(
                { port.settlePoll(poll, it) },
                { failure -> if (stopping.isCompleted) release(poll) else fail(poll, failure) },
            )
            recorded.forEach { fire ->
                observers.meters.tell { fired(fire) }
                observers.publish { fired(fire) }
            }
        } catch (lost: LeaseLostException) {
            log.warn("The result of trigger '{}' is discarded, because its poll is lost: {}", trigger.name, lost.message)
        }
    }

    private suspend fun release(poll: TakenPoll) = emptyList<Nothing>().also { port.releasePoll(poll) }

    private suspend fun fail(poll: TakenPoll, failure: Throwable) = run {
        log.warn("Trigger '{}' failed; the next poll follows at its usual time.", trigger.name, failure)
        port.failPoll(poll, "${failure.javaClass.name}: ${failure.message.orEmpty()}".take(LONGEST_REASON))
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
        // The function may have returned a result all the same.
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

package io.runledger.coroutines.hook

import io.runledger.coroutines.loop.Ticker
import io.runledger.coroutines.port.HookPort
import io.runledger.model.lease.DeadLetterDelivery
import kotlinx.coroutines.CancellationException
import kotlinx.coroutines.CompletableDeferred
import kotlinx.coroutines.CoroutineScope
import kotlinx.coroutines.NonCancellable
import kotlinx.coroutines.async
import kotlinx.coroutines.awaitAll
import kotlinx.coroutines.coroutineScope
import kotlinx.coroutines.launch
import kotlinx.coroutines.selects.select
import kotlinx.coroutines.withContext
import kotlinx.coroutines.withTimeoutOrNull
import org.slf4j.LoggerFactory
import java.util.concurrent.TimeoutException
import kotlin.time.ComparableTimeMark
import kotlin.time.Duration
import kotlin.time.Duration.Companion.hours
import kotlin.time.Duration.Companion.minutes
import kotlin.time.Duration.Companion.seconds
import kotlin.time.TimeSource
import kotlin.time.toJavaDuration

/**
 * Delivers dead letters to one hook in batches, and redelivers failed letters with growing delays. The loop does not wait for a
 * call that ignores its timeout or the end of the worker.
 */
internal class HookLoop(
    private val hook: Hook,
    private val interval: Duration,
    private val timeout: Duration,
    private val stopGrace: Duration,
    private val port: HookPort,
    private val calls: CoroutineScope,
    private val clock: TimeSource.WithComparableMarks,
    private val ticker: Ticker,
) {
    private val stopping = CompletableDeferred<Unit>()
    private val registration = CompletableDeferred<Unit>()
    private var nextRegistration: ComparableTimeMark = clock.markNow()

    // Results of deliveries that are not written yet.
    private val delivered = ArrayList<DeadLetterDelivery>()
    private val postponed = LinkedHashMap<DeadLetterDelivery, Duration>()

    suspend fun run(): Nothing = ticker.run(::runOnce)

    /** Returns once the hook is registered. From then on the ledger keeps every dead letter of its types for the hook. */
    suspend fun awaitRegistration() = registration.await()

    fun onDeadLetter(jobType: String) {
        if (jobType in hook.jobTypes) ticker.wake()
    }

    /** Asks the calls in progress to stop; their letters are released. */
    fun stop() {
        stopping.complete(Unit)
    }

    /** Delivers the letters that are due. Returns zero after a full batch. Not cancellable, so that all results are written. */
    suspend fun runOnce(): Duration = withContext(NonCancellable) {
        register()
        write()
        val lease = timeout + stopGrace + WRITING
        val deliveries = port.takeLetters(hook.name, hook.jobTypes, BATCH, lease.toJavaDuration())
        coroutineScope { deliveries.map { async { it to failureOf(it) } }.awaitAll() }.forEach { (delivery, failure) ->
            if (failure == null) delivered += delivery else postponed[delivery] = delayAfter(delivery, failure)
        }
        val nextTry = postponed.values.minOrNull() ?: interval
        write()
        when {
            deliveries.size == BATCH -> Duration.ZERO
            delivered.isNotEmpty() -> minOf(interval, FIRST_DELAY)
            else -> minOf(interval, nextTry)
        }
    }

    private suspend fun register() {
        if (nextRegistration.hasNotPassedNow()) return
        port.registerHook(hook.name, hook.jobTypes)
        nextRegistration = clock.markNow() + REGISTERED_FOR
        registration.complete(Unit)
    }

    private suspend fun write() {
        val held = if (delivered.isEmpty()) emptyList() else port.lettersDelivered(delivered.toList())
        delivered.clear()
        delivered += held
        if (postponed.isNotEmpty()) port.postponeLetters(postponed.mapValues { it.value.toJavaDuration() })
        postponed.clear()
    }

    /** Calls the hook; null if it has confirmed the letter, even if only after it was asked to stop. */
    private suspend fun failureOf(delivery: DeadLetterDelivery): Throwable? {
        var failure: Throwable? = CancellationException("The worker ended before the hook was called.")
        val call = calls.launch { failure = runCatching { hook.deliver(delivery.letter()) }.exceptionOrNull() }
        withTimeoutOrNull(timeout) {
            select {
                call.onJoin {}
                stopping.onAwait {}
            }
        }
        if (!call.isCompleted) {
            call.cancel(CancellationException("The call did not end within $timeout, or before the worker did."))
            withTimeoutOrNull(stopGrace) { call.join() }
        }
        return if (call.isCompleted) failure else TimeoutException("The call was asked to stop after $timeout and still runs.")
    }

    private fun delayAfter(delivery: DeadLetterDelivery, failure: Throwable): Duration {
        if (stopping.isCompleted) return Duration.ZERO
        val delay = minOf(FIRST_DELAY * (1 shl minOf(delivery.tries() - 1, MAX_DOUBLINGS)), LONGEST_DELAY)
        log.warn(
            "Hook '{}' did not take the dead letter of {} job {}, try {}; the next try is in {}.",
            hook.name,
            delivery.letter().jobType(),
            delivery.letter().jobId(),
            delivery.tries(),
            delay,
            failure,
        )
        return delay
    }

    private companion object {
        const val BATCH = 16
        const val MAX_DOUBLINGS = 10
        val FIRST_DELAY = 1.seconds
        val LONGEST_DELAY = 15.minutes
        val REGISTERED_FOR = 6.hours
        val WRITING = 2.seconds
        val log = LoggerFactory.getLogger(HookLoop::class.java)
    }
}

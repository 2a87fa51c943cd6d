package io.runledger.coroutines.run

import io.runledger.coroutines.Handlers
import io.runledger.coroutines.attempt.Attempt
import io.runledger.coroutines.loop.DoublingDelay
import io.runledger.coroutines.port.SettlePort
import io.runledger.coroutines.watch.AttemptReporter
import io.runledger.model.handler.Cancellation.Reason
import io.runledger.model.handler.JobOutcome
import kotlinx.coroutines.Job
import kotlinx.coroutines.coroutineScope
import kotlinx.coroutines.currentCoroutineContext
import kotlinx.coroutines.delay
import kotlinx.coroutines.ensureActive
import kotlinx.coroutines.launch
import kotlinx.coroutines.selects.select
import kotlinx.coroutines.withTimeoutOrNull
import org.slf4j.LoggerFactory
import java.time.Duration
import kotlin.time.Duration.Companion.milliseconds
import kotlin.time.Duration.Companion.seconds
import kotlin.time.toKotlinDuration

/**
 * Keeps the job of a handler that ignores its timeout until the handler has ended, for at most the overtime of its type, so that
 * no second attempt runs at the same time. Meanwhile the lease is renewed, and the ledger records the overtime and its limit.
 */
internal class Overtime(
    private val handlers: Handlers,
    private val port: SettlePort,
    private val reporter: AttemptReporter,
    private val stopGrace: kotlin.time.Duration,
) {
    /** Waits for a stuck handler. The [outcome] stays a timeout, unless another reason has stopped the attempt meanwhile. */
    suspend fun await(attempt: Attempt, outcome: JobOutcome?): JobOutcome? {
        val stop = attempt.cancellation
        val handler = stop.stuck.takeIf { stop.stopped == Reason.TIMEOUT } ?: return outcome
        val most = handlers.overtimeOf(attempt.job.jobType())
        if (most.isZero) {
            withTimeoutOrNull(SHORT) { isNoted(attempt, most) }
            return outcome
        }
        log.warn(
            "The handler of job {} ignores its timeout: the worker keeps the job until the handler ends, for at most {}.",
            attempt.observed,
            most,
        )
        reporter.overtime(attempt, most)
        val end = coroutineScope {
            val noting = launch { note(attempt, most) }
            await(handler, attempt, most).also { noting.cancel() }
        }
        if (handler.isCompleted) stop.stuck = null
        if (end == null || (end == Reason.SHUTDOWN && handler.isCompleted)) return outcome
        stop.stopped = end
        return null
    }

    /** The reason to stop waiting, or null if the handler has ended or the overtime is over. */
    private suspend fun await(handler: Job, attempt: Attempt, most: Duration): Reason? {
        val end = withTimeoutOrNull(most.toKotlinDuration()) {
            select<Reason?> {
                handler.onJoin { null }
                attempt.cancellation.afterTimeout.onAwait { it }
            }
        }
        if (end == Reason.SHUTDOWN) withTimeoutOrNull(stopGrace) { handler.join() }
        return end
    }

    /** Retried while the ledger is unreachable, and while the handler's own transaction locks the job. */
    private suspend fun note(attempt: Attempt, most: Duration) {
        val pauses = DoublingDelay(100.milliseconds, 5.seconds)
        while (!isNoted(attempt, most)) delay(pauses.next())
    }

    private suspend fun isNoted(attempt: Attempt, most: Duration): Boolean = try {
        port.noteOvertime(attempt.lease, most)
    } catch (failure: Exception) {
        currentCoroutineContext().ensureActive()
        log.debug("The overtime of job {} cannot be recorded yet.", attempt.observed, failure)
        false
    }

    private companion object {
        val SHORT = 1.seconds
        val log = LoggerFactory.getLogger(Overtime::class.java)
    }
}

package io.runledger.coroutines.run

import io.runledger.coroutines.Handlers
import io.runledger.coroutines.loop.Pace
import io.runledger.coroutines.store.LeaseStore
import io.runledger.coroutines.watch.Bookkeeper
import io.runledger.model.run.Cancellation.Reason
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
 * Keeps the job of a handler that ignored its timeout until the handler has ended, so that no second attempt runs beside it; at
 * most for the overtime of its type. Its lease is renewed meanwhile, and the ledger says that it is waited for and until when.
 */
internal class Overtime(
    private val handlers: Handlers,
    private val store: LeaseStore,
    private val books: Bookkeeper,
    private val stopGrace: kotlin.time.Duration,
) {
    /** How the attempt ends in the end: as a timeout, however late, unless it has ended otherwise meanwhile. */
    suspend fun await(attempt: Attempt, result: RunResult): RunResult {
        val handler = result.stuck.takeIf { result.stopped == Reason.TIMEOUT } ?: return result
        val most = handlers.overtimeOf(attempt.job.jobType())
        if (most.isZero) {
            withTimeoutOrNull(SHORT) { isNoted(attempt, most) }
            return result
        }
        log.warn(
            "The handler of job {} ignores its timeout: the job is kept until it ends, for {} at most.",
            attempt.observed,
            most,
        )
        books.overtime(attempt, most)
        val end = coroutineScope {
            val noting = launch { note(attempt, most) }
            await(handler, attempt, most).also { noting.cancel() }
        }
        return when {
            handler.isCompleted && (end == null || end == Reason.SHUTDOWN) -> RunResult(result.outcome, result.stopped, null)
            end == null -> result
            else -> RunResult(null, end, handler.takeUnless { it.isCompleted })
        }
    }

    /** Why the attempt is not to be waited for any longer, or null when its handler has ended or its overtime is over. */
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

    /** Tried again while the ledger is away, and while the handler's own transaction holds the job. */
    private suspend fun note(attempt: Attempt, most: Duration) {
        val pauses = Pace(100.milliseconds, 5.seconds)
        while (!isNoted(attempt, most)) delay(pauses.next())
    }

    private suspend fun isNoted(attempt: Attempt, most: Duration): Boolean = try {
        store.noteOvertime(attempt.lease, most)
    } catch (failure: Exception) {
        currentCoroutineContext().ensureActive()
        log.debug("The overtime of job {} cannot be noted yet.", attempt.observed, failure)
        false
    }

    private companion object {
        val SHORT = 1.seconds
        val log = LoggerFactory.getLogger(Overtime::class.java)
    }
}

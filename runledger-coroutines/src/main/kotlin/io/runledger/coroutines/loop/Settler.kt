package io.runledger.coroutines.loop

import io.runledger.coroutines.run.Attempt
import io.runledger.coroutines.store.LeaseStore
import io.runledger.model.error.ErrorCategory
import io.runledger.model.error.RunledgerException
import io.runledger.model.policy.Verdict
import io.runledger.model.spec.SettleRequest
import io.runledger.model.state.SettledJob
import kotlinx.coroutines.CancellationException
import kotlinx.coroutines.CompletableDeferred
import org.slf4j.LoggerFactory
import java.util.concurrent.ConcurrentLinkedQueue
import kotlin.time.Duration
import kotlin.time.Duration.Companion.milliseconds
import kotlin.time.Duration.Companion.seconds

/**
 * Writes how attempts ended, all that have come together since the last write at once and without waiting for more. What
 * fails is tried again while its lease is held; a row the database refuses does not keep the others from being written.
 */
internal class Settler(private val store: LeaseStore, private val ticker: Ticker) {
    private val queue = ConcurrentLinkedQueue<Entry>()
    private val busy = Pace(10.milliseconds, 1.seconds)

    suspend fun run(): Nothing = ticker.run(::runOnce)

    /** Writes [ending]; answers when it is confirmed, or when it cannot be written any more. */
    suspend fun write(attempt: Attempt, ending: Ending): Written {
        val entry = Entry(attempt, ending)
        queue += entry
        ticker.wake()
        return entry.answer.await()
    }

    /** Writes what has accumulated. */
    suspend fun runOnce(): Duration {
        val entries = generateSequence(queue::poll).toList()
        if (entries.isEmpty()) ticker.idle()
        val failures = entries.chunked(MAX_BATCH).mapNotNull { batch -> writing(batch) { flush(batch) } }
        failures.firstOrNull()?.let { throw it }
        if (entries.all { it.answer.isCompleted }) busy.reset()
        return if (queue.isEmpty()) Duration.INFINITE else busy.next()
    }

    private suspend fun flush(entries: List<Entry>) {
        confirm(entries.filter { it.ending is Ending.PerhapsWritten })
        val open = entries.filterNot { it.answer.isCompleted }
        settle(open.filter { it.ending is Ending.Settled })
        release(open.filter { it.ending is Ending.GivenBack })
    }

    /** What turns out not to be written ends as if it had never been tried. */
    private suspend fun confirm(entries: List<Entry>) {
        if (entries.isEmpty()) return
        val succeeded = store.succeeded(entries.map { it.attempt.lease.jobId() })
        entries.forEach { entry ->
            val otherwise = (entry.ending as Ending.PerhapsWritten).otherwise
            when {
                entry.attempt.lease.jobId() in succeeded ->
                    entry.answer.complete(Written.Settled(SettledJob.Result.SUCCEEDED, null))

                otherwise == null -> entry.answer.complete(Written.Unwritten)

                else -> entry.ending = otherwise
            }
        }
    }

    private suspend fun settle(entries: List<Entry>) {
        if (entries.isEmpty()) return
        val settled = store.settle(entries.map { SettleRequest.of(it.attempt.lease, (it.ending as Ending.Settled).verdict) })
        entries.zip(settled) { entry, job ->
            when (job.result()) {
                SettledJob.Result.BUSY -> tryAgain(entry)
                SettledJob.Result.REFUSED -> giveUp(entry, job.refusal())
                else -> entry.answer.complete(Written.Settled(job.result(), job.nextRunAt()))
            }
        }
    }

    private suspend fun release(entries: List<Entry>) {
        if (entries.isEmpty()) return
        val released = store.release(entries.map { it.attempt.lease }, (entries.first().ending as Ending.GivenBack).reason)
        entries.zip(released) { entry, job ->
            entry.answer.complete(if (job.isReleased) Written.GivenBack else Written.Unwritten)
        }
    }

    private suspend fun writing(entries: List<Entry>, write: suspend () -> Unit): Throwable? = try {
        write()
        null
    } catch (cancelled: CancellationException) {
        queue += entries.filterNot { it.answer.isCompleted }
        throw cancelled
    } catch (failure: Throwable) {
        val open = entries.filterNot { it.answer.isCompleted }
        if (failure.isRefusal) refused(open, failure) else open.forEach(::tryAgain)
        failure.takeUnless { it.isRefusal }
    }

    private suspend fun refused(entries: List<Entry>, failure: Throwable) {
        if (entries.size > 1) {
            entries.forEach { entry -> writing(listOf(entry)) { flush(listOf(entry)) } }
        } else {
            entries.forEach { giveUp(it, failure) }
        }
    }

    private fun giveUp(entry: Entry, failure: Throwable?) {
        log.error("The database refuses the ending of job {}; its lease runs out.", entry.attempt.observed, failure)
        entry.answer.complete(Written.Unwritten)
    }

    private fun tryAgain(entry: Entry) {
        if (!entry.attempt.isHeld) {
            entry.answer.complete(Written.Unwritten)
            return
        }
        // The connection may have broken between the commit and its answer.
        val ending = entry.ending
        if (ending is Ending.Settled && ending.verdict is Verdict.Succeed) entry.ending = Ending.PerhapsWritten(ending)
        queue += entry
    }

    private class Entry(val attempt: Attempt, var ending: Ending) {
        val answer = CompletableDeferred<Written>()
    }

    private companion object {
        const val MAX_BATCH = 1_000
        val log = LoggerFactory.getLogger(Settler::class.java)

        val Throwable.isRefusal: Boolean
            get() = this is RunledgerException && !isTransient && category() != ErrorCategory.UNAVAILABLE
    }
}

package io.runledger.coroutines.loop

import io.runledger.coroutines.run.Attempt
import io.runledger.coroutines.store.LeaseStore
import io.runledger.model.error.ErrorCategory
import io.runledger.model.error.RunledgerException
import io.runledger.model.policy.Verdict
import io.runledger.model.spec.SettleRequest
import io.runledger.model.state.SettledJob
import kotlinx.coroutines.CancellableContinuation
import kotlinx.coroutines.CancellationException
import kotlinx.coroutines.suspendCancellableCoroutine
import kotlinx.coroutines.yield
import org.slf4j.LoggerFactory
import java.util.concurrent.ConcurrentLinkedQueue
import java.util.concurrent.atomic.AtomicInteger
import kotlin.coroutines.resume
import kotlin.time.Duration
import kotlin.time.Duration.Companion.milliseconds
import kotlin.time.Duration.Companion.seconds

/**
 * Writes how attempts ended, all that have come together since the last write at once and without waiting for more. What
 * fails is tried again while its lease is held; a row the database refuses does not keep the others from being written.
 */
internal class Settler(
    private val store: LeaseStore,
    ticker: Ticker,
    help: Ticker,
    /** Steps of workflows have ended, and others may be due because of that. */
    private val onStepsEnded: () -> Unit = {},
) {
    private val queue = ConcurrentLinkedQueue<Entry>()
    private val waiting = AtomicInteger()
    private val first = Hand(ticker)
    private val second = Hand(help)

    suspend fun run(): Nothing = first.ticker.run(::runOnce)

    /** Runs beside [run] and writes too while much waits: one batch is made durable while the other is worked on. */
    suspend fun runHelp(): Nothing = second.ticker.run { write(second) }

    /** Writes [ending]; answers when it is confirmed, or when it cannot be written any more. */
    suspend fun write(attempt: Attempt, ending: Ending): Written = suspendCancellableCoroutine { waiting ->
        if (put(Entry(attempt, ending, waiting)) >= WORTH_HELP) second.ticker.wake()
        first.ticker.wake()
    }

    /** Writes what has accumulated. */
    suspend fun runOnce(): Duration = write(first)

    private suspend fun write(hand: Hand): Duration {
        gather()
        val entries = take()
        if (entries.isEmpty()) hand.ticker.idle()
        writing(entries) { flush(entries) }?.let { throw it }
        if (entries.any { it.isOpen }) return hand.busy.next()
        hand.busy.reset()
        return if (queue.isEmpty()) Duration.INFINITE else Duration.ZERO
    }

    /** Lets the attempts that are about to end go first, as long as that brings more endings; waits for nobody. */
    private suspend fun gather() {
        do {
            val before = waiting.get()
            yield()
        } while (waiting.get() in before + 1..<MAX_BATCH)
    }

    private fun put(entry: Entry): Int {
        queue += entry
        return waiting.incrementAndGet()
    }

    private fun take(): List<Entry> = generateSequence {
        queue.poll()?.also { waiting.decrementAndGet() }
    }.take(MAX_BATCH).toList()

    private suspend fun flush(entries: List<Entry>) {
        confirm(entries.filter { it.ending is Ending.PerhapsWritten })
        val open = entries.filter { it.isOpen }
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
                    entry.close(Written.Settled(SettledJob.Result.SUCCEEDED, null))

                otherwise == null -> entry.close(Written.Unwritten)

                else -> entry.ending = otherwise
            }
        }
    }

    private suspend fun settle(entries: List<Entry>) {
        if (entries.isEmpty()) return
        val settled = store.settle(entries.map { SettleRequest.of(it.attempt.job, (it.ending as Ending.Settled).verdict) })
        entries.zip(settled) { entry, job ->
            when (job.result()) {
                SettledJob.Result.BUSY -> tryAgain(entry)
                SettledJob.Result.REFUSED -> giveUp(entry, job.refusal())
                else -> entry.close(Written.Settled(job.result(), job.nextRunAt()))
            }
        }
        if (entries.any { it.attempt.job.step() != null }) onStepsEnded()
    }

    private suspend fun release(entries: List<Entry>) {
        if (entries.isEmpty()) return
        val released = store.release(entries.map { it.attempt.lease }, (entries.first().ending as Ending.GivenBack).reason)
        entries.zip(released) { entry, job ->
            entry.close(if (job.isReleased) Written.GivenBack else Written.Unwritten)
        }
    }

    private suspend fun writing(entries: List<Entry>, write: suspend () -> Unit): Throwable? = try {
        write()
        null
    } catch (cancelled: CancellationException) {
        entries.filter { it.isOpen }.forEach(::put)
        throw cancelled
    } catch (failure: Throwable) {
        val open = entries.filter { it.isOpen }
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
        entry.close(Written.Unwritten)
    }

    private fun tryAgain(entry: Entry) {
        if (!entry.attempt.isHeld) {
            entry.close(Written.Unwritten)
            return
        }
        // The connection may have broken between the commit and its answer.
        val ending = entry.ending
        if (ending is Ending.Settled && ending.verdict is Verdict.Succeed) entry.ending = Ending.PerhapsWritten(ending)
        put(entry)
    }

    private class Hand(val ticker: Ticker) {
        val busy = Pace(10.milliseconds, 1.seconds)
    }

    /** Belongs to the queue or to the hand that took it, so it is closed once. */
    private class Entry(val attempt: Attempt, var ending: Ending, private val waiting: CancellableContinuation<Written>) {
        var isOpen = true
            private set

        fun close(written: Written) {
            isOpen = false
            waiting.resume(written)
        }
    }

    private companion object {
        const val MAX_BATCH = 1_000
        const val WORTH_HELP = MAX_BATCH
        val log = LoggerFactory.getLogger(Settler::class.java)

        val Throwable.isRefusal: Boolean
            get() = this is RunledgerException && !isTransient && category() != ErrorCategory.UNAVAILABLE
    }
}

package io.runledger.coroutines.loop

import io.runledger.coroutines.run.Attempt
import io.runledger.coroutines.store.LeaseStore
import io.runledger.model.policy.Verdict
import io.runledger.model.spec.SettleRequest
import io.runledger.model.state.ReleasedJob
import io.runledger.model.state.SettledJob
import kotlinx.coroutines.CancellableContinuation
import kotlinx.coroutines.CancellationException
import kotlinx.coroutines.suspendCancellableCoroutine
import kotlinx.coroutines.yield
import org.slf4j.LoggerFactory
import java.util.concurrent.ConcurrentLinkedQueue
import java.util.concurrent.atomic.AtomicInteger
import kotlin.coroutines.resume
import kotlin.time.ComparableTimeMark
import kotlin.time.Duration
import kotlin.time.Duration.Companion.milliseconds
import kotlin.time.Duration.Companion.seconds
import kotlin.time.TimeSource

/**
 * Writes how attempts ended, all that have come together since the last write at once and without waiting for more. An ending
 * is given up when the database refuses its row, and when its lease is over; everything else is tried again until then, each
 * time after a longer pause. What is held or refused does not keep the others from being written.
 */
internal class Settler(
    private val store: LeaseStore,
    ticker: Ticker,
    help: Ticker,
    private val clock: TimeSource.WithComparableMarks = TimeSource.Monotonic,
    /** Steps of workflows have ended, and others may be due because of that. */
    private val onStepsEnded: () -> Unit = {},
) {
    private val queue = ConcurrentLinkedQueue<Entry>()
    private val waiting = AtomicInteger()

    /** Endings whose row or run another transaction holds: each waits for its own time, and holds up no other. */
    private val postponed = ConcurrentLinkedQueue<Entry>()
    private val first = Hand(ticker)
    private val second = Hand(help)

    suspend fun run(): Nothing = first.ticker.run(::runOnce)

    /** Runs beside [run] and writes too while much waits: one batch is made durable while the other is worked on. */
    suspend fun runHelp(): Nothing = second.ticker.run {
        write(second)
        if (postponed.isNotEmpty()) first.ticker.wake()
        if (queue.isEmpty()) Duration.INFINITE else Duration.ZERO
    }

    /** Writes [ending]; answers when it is confirmed, or when it cannot be written any more. */
    suspend fun write(attempt: Attempt, ending: Ending): Written = suspendCancellableCoroutine { waiting ->
        if (put(Entry(attempt, ending, waiting)) >= WORTH_HELP) second.ticker.wake()
        first.ticker.wake()
    }

    /** Writes what has accumulated. */
    suspend fun runOnce(): Duration {
        postponed.removeIf { entry -> entry.triesAt.hasPassedNow().also { isDue -> if (isDue) put(entry) } }
        write(first)
        if (queue.isNotEmpty()) return Duration.ZERO
        return postponed.minOfOrNull { -it.triesAt.elapsedNow() }?.coerceAtLeast(Duration.ZERO) ?: Duration.INFINITE
    }

    private suspend fun write(hand: Hand) {
        gather()
        val batch = Batch(take(hand.most))
        if (batch.open.isEmpty()) hand.ticker.idle()
        try {
            flush(batch)
            hand.most = MAX_BATCH
        } catch (cancelled: CancellationException) {
            batch.open.forEach(::put)
            throw cancelled
        } catch (failure: Throwable) {
            // Perhaps it is about one of them, or about their number: half of them are tried next.
            hand.most = (batch.size / 2).coerceAtLeast(1)
            batch.tryAgain()
            throw failure
        }
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

    private fun take(most: Int): List<Entry> = generateSequence {
        queue.poll()?.also { waiting.decrementAndGet() }
    }.take(most).toList()

    private suspend fun flush(batch: Batch) {
        confirm(batch, batch.open.filter { it.ending is Ending.PerhapsWritten })
        settle(batch, batch.open.filter { it.ending is Ending.Settled })
        release(batch, batch.open.filter { it.ending is Ending.GivenBack })
    }

    /** What turns out not to be written ends as if it had never been tried. */
    private suspend fun confirm(batch: Batch, entries: List<Entry>) {
        if (entries.isEmpty()) return
        val succeeded = store.succeeded(entries.map { it.attempt.lease.jobId() })
        entries.forEach { entry ->
            val otherwise = (entry.ending as Ending.PerhapsWritten).otherwise
            when {
                entry.attempt.lease.jobId() in succeeded ->
                    batch.close(entry, Written.Settled(SettledJob.Result.SUCCEEDED, null))

                otherwise == null -> batch.close(entry, Written.Unwritten)

                else -> entry.ending = otherwise
            }
        }
    }

    private suspend fun settle(batch: Batch, entries: List<Entry>) {
        if (entries.isEmpty()) return
        val settled = store.settle(entries.map { SettleRequest.of(it.attempt.job, (it.ending as Ending.Settled).verdict) })
        entries.zip(settled) { entry, job ->
            when (job.result()) {
                SettledJob.Result.BUSY -> batch.postpone(entry, isUnclear = job.refusal() != null)
                SettledJob.Result.REFUSED -> batch.giveUp(entry, job.refusal())
                SettledJob.Result.LOST -> batch.lost(entry)
                else -> batch.close(entry, Written.Settled(job.result(), job.nextRunAt(), job.refusal()))
            }
        }
        if (entries.any { it.attempt.job.step() != null }) onStepsEnded()
    }

    private suspend fun release(batch: Batch, entries: List<Entry>) {
        if (entries.isEmpty()) return
        val released = store.release(entries.map { it.attempt.lease }, (entries.first().ending as Ending.GivenBack).reason)
        entries.zip(released) { entry, job ->
            when (job.result()) {
                ReleasedJob.Result.RELEASED -> batch.close(entry, Written.GivenBack)
                ReleasedJob.Result.LOST -> batch.close(entry, Written.Unwritten)
                ReleasedJob.Result.BUSY -> batch.postpone(entry, isUnclear = false)
                ReleasedJob.Result.REFUSED -> batch.giveUp(entry, job.refusal())
            }
        }
    }

    private class Hand(val ticker: Ticker) {
        var most = MAX_BATCH
    }

    /** Endings that one hand has taken; those that are [open] are its own to decide about. */
    private inner class Batch(entries: List<Entry>) {
        val size = entries.size
        val open = LinkedHashSet(entries)

        fun close(entry: Entry, written: Written) {
            open -= entry
            entry.close(written)
        }

        fun giveUp(entry: Entry, refusal: Throwable?) {
            log.error("The database refuses the ending of job {}; its lease runs out.", entry.attempt.observed, refusal)
            close(entry, Written.Unwritten)
        }

        /** What was in doubt may have been written since it was looked for, so it is looked for once more. */
        fun lost(entry: Entry) {
            if (!entry.isInDoubt) return close(entry, Written.Settled(SettledJob.Result.LOST, null))
            entry.ending = Ending.PerhapsWritten(otherwise = null)
            open -= entry
            put(entry)
        }

        /** Another transaction is in the way of [entry], or a fault that leaves it [isUnclear] whether it was written. */
        fun postpone(entry: Entry, isUnclear: Boolean) {
            if (!entry.attempt.isHeld) return close(entry, Written.Unwritten)
            entry.doubt(isUnclear)
            entry.triesAt = clock.markNow() + entry.pauses.next()
            open -= entry
            postponed += entry
        }

        /** Nothing could be written. The connection may have broken between the commit and its answer. */
        fun tryAgain() = open.toList().forEach { entry ->
            if (!entry.attempt.isHeld) return@forEach close(entry, Written.Unwritten)
            entry.doubt(isUnclear = true)
            open -= entry
            put(entry)
        }
    }

    /** Belongs to one of the queues or to the hand that took it, so it is closed once. */
    private inner class Entry(val attempt: Attempt, var ending: Ending, private val waiting: CancellableContinuation<Written>) {
        val pauses = Pace(10.milliseconds, 1.seconds)
        var triesAt: ComparableTimeMark = clock.markNow()

        /** A transaction whose end is unknown may have written the success, or may do so yet: the handler's, or a broken one. */
        var isInDoubt = ending is Ending.PerhapsWritten
            private set

        fun doubt(isUnclear: Boolean) {
            val ending = ending
            if (isUnclear && ending is Ending.Settled && ending.verdict is Verdict.Succeed) isInDoubt = true
            if (isInDoubt && ending !is Ending.PerhapsWritten) this.ending = Ending.PerhapsWritten(ending)
        }

        fun close(written: Written) = waiting.resume(written)
    }

    private companion object {
        const val MAX_BATCH = 1_000
        const val WORTH_HELP = MAX_BATCH
        val log = LoggerFactory.getLogger(Settler::class.java)
    }
}

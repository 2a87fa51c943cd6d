package io.runledger.coroutines.settle

import io.runledger.coroutines.attempt.Attempt
import io.runledger.coroutines.loop.DoublingDelay
import io.runledger.coroutines.loop.Ticker
import io.runledger.coroutines.port.SettlePort
import io.runledger.model.job.Lease
import io.runledger.model.lease.SettledJob
import io.runledger.model.lease.SettledJob.Result
import io.runledger.model.lease.Verdict
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
 * Settles attempts in batches: each batch takes all settlements queued since the last one and does not wait for more. The settler
 * abandons a settlement if the database rejects its row or if its lease has expired. It retries every other failure until then,
 * with growing pauses. A locked or rejected row does not delay other settlements.
 */
internal class Settler(
    private val port: SettlePort,
    ticker: Ticker,
    help: Ticker,
    private val clock: TimeSource.WithComparableMarks = TimeSource.Monotonic,
    /** Called when attempts have ended, because their permits are free. */
    private val onSettled: () -> Unit = {},
    /** Called when workflow steps have ended, because other steps may be due now. */
    private val onStepsEnded: () -> Unit = {},
) {
    private val queue = ConcurrentLinkedQueue<Entry>()
    private val waiting = AtomicInteger()

    /** Settlements whose row or run another transaction locks. Each has its own retry time and delays no other. */
    private val postponed = ConcurrentLinkedQueue<Entry>()
    private val first = Writer(ticker)
    private val second = Writer(help)

    suspend fun run(): Nothing = first.ticker.run(::runOnce)

    /** Runs concurrently with [run] while the queue is long: one batch commits while the next one is executed. */
    suspend fun runHelp(): Nothing = second.ticker.run {
        write(second)
        if (postponed.isNotEmpty()) first.ticker.wake()
        if (queue.isEmpty()) Duration.INFINITE else Duration.ZERO
    }

    /**
     * Writes [verdict], or only checks whether the handler has written the success if it is null. Calls [onSettled] on another
     * thread when the settlement is confirmed, or when it can no longer be written. [onSettled] must neither block nor throw.
     */
    fun write(attempt: Attempt, verdict: Verdict?, onSettled: (SettledJob) -> Unit) {
        put(Entry(attempt, verdict, onSettled))
        wake()
    }

    /** Writes several verdicts, each as [write] does. Returns after the last one. */
    suspend fun writeAll(verdicts: Map<Attempt, Verdict?>, onSettled: (Attempt, SettledJob) -> Unit) {
        if (verdicts.isEmpty()) return
        val open = AtomicInteger(verdicts.size)
        suspendCancellableCoroutine { waiting ->
            verdicts.forEach { (attempt, verdict) ->
                put(
                    Entry(attempt, verdict) { settled ->
                        if (waiting.isActive) onSettled(attempt, settled)
                        if (open.decrementAndGet() == 0) waiting.resume(Unit)
                    },
                )
            }
            wake()
        }
    }

    private fun wake() {
        if (waiting.get() >= WORTH_HELP) second.ticker.wake()
        first.ticker.wake()
    }

    /** Writes the queued settlements. Returns the pause until the next pass. */
    suspend fun runOnce(): Duration {
        postponed.removeIf { entry -> (entry.untilTry <= Duration.ZERO).also { isDue -> if (isDue) put(entry) } }
        write(first)
        if (queue.isNotEmpty()) return Duration.ZERO
        return postponed.minOfOrNull { it.untilTry }?.coerceAtLeast(Duration.ZERO) ?: Duration.INFINITE
    }

    private suspend fun write(writer: Writer) {
        gather()
        val batch = Batch(take(writer.most))
        if (batch.open.isEmpty()) writer.ticker.idle()
        try {
            flush(batch)
            writer.most = MAX_BATCH
        } catch (cancelled: CancellationException) {
            batch.open.forEach(::put)
            throw cancelled
        } catch (failure: Throwable) {
            // One settlement or the size of the batch may be the cause, so the next batch has half the size.
            writer.most = (batch.size / 2).coerceAtLeast(1)
            batch.tryAgain()
            throw failure
        }
    }

    /** Yields to attempts that are about to end, as long as that adds settlements to the batch. Never suspends for longer. */
    private suspend fun gather() {
        do {
            val before = waiting.get()
            yield()
        } while (waiting.get() in before + 1..<MAX_BATCH)
    }

    private fun put(entry: Entry) {
        queue += entry
        waiting.incrementAndGet()
    }

    private fun take(most: Int): List<Entry> {
        val taken = ArrayList<Entry>(minOf(most, maxOf(waiting.get(), 1)))
        while (taken.size < most) taken += queue.poll() ?: break
        waiting.addAndGet(-taken.size)
        return taken
    }

    private suspend fun flush(batch: Batch) {
        confirm(batch, batch.open.filter { it.mustConfirm })
        settle(batch, batch.open)
    }

    /** If the success was not written, the entry continues with its verdict. */
    private suspend fun confirm(batch: Batch, entries: List<Entry>) {
        if (entries.isEmpty()) return
        val succeeded = port.succeeded(entries.map { it.lease.jobId() })
        entries.forEach { entry ->
            when {
                entry.lease.jobId() in succeeded -> batch.close(entry, Result.SUCCEEDED)
                entry.verdict == null -> batch.close(entry, Result.LOST)
                else -> entry.mustConfirm = false
            }
        }
    }

    private suspend fun settle(batch: Batch, entries: List<Entry>) {
        if (entries.isEmpty()) return
        val verdicts = LinkedHashMap<Lease, Verdict>(entries.size * 2)
        entries.forEach { verdicts[it.lease] = checkNotNull(it.verdict) }
        val settled = port.settle(verdicts)
        entries.forEachIndexed { index, entry ->
            val job = settled[index]
            when (job.result()) {
                Result.BUSY -> batch.postpone(entry, isUnclear = job.refusal() != null)
                Result.REFUSED -> batch.giveUp(entry, job)
                Result.LOST -> batch.lost(entry)
                else -> batch.close(entry, job)
            }
        }
        if (entries.any { it.lease.isStep && it.verdict !is Verdict.Release }) onStepsEnded() else onSettled()
    }

    private class Writer(val ticker: Ticker) {
        var most = MAX_BATCH
    }

    /** Settlements that one writer has taken. Only that writer decides about the [open] ones. */
    private inner class Batch(private val entries: List<Entry>) {
        init {
            entries.forEach { it.owner = this }
        }

        val size: Int get() = entries.size

        val open: List<Entry> get() = if (entries.all { it.owner === this }) entries else entries.filter { it.owner === this }

        fun close(entry: Entry, settled: SettledJob) {
            entry.owner = null
            entry.close(settled)
        }

        fun close(entry: Entry, result: Result) = close(entry, SettledJob(entry.lease, result, null))

        fun giveUp(entry: Entry, settled: SettledJob) {
            log.error(
                "The database rejects the settlement of job {}, so its lease expires.",
                entry.attempt.observed,
                settled.refusal(),
            )
            close(entry, settled)
        }

        /** A settlement in doubt may have been committed since the last check, so it is checked once more. */
        fun lost(entry: Entry) {
            if (!entry.isInDoubt) return close(entry, Result.LOST)
            entry.mustConfirm = true
            entry.verdict = null
            entry.owner = null
            put(entry)
        }

        /** Another transaction blocks [entry], or a failure leaves it [isUnclear] whether it was written. */
        fun postpone(entry: Entry, isUnclear: Boolean) {
            if (!entry.attempt.isHeld) return close(entry, Result.LOST)
            entry.doubt(isUnclear)
            entry.postpone()
            entry.owner = null
            postponed += entry
        }

        /** The write failed. The connection may have broken between the commit and its answer. */
        fun tryAgain() = open.forEach { entry ->
            if (!entry.attempt.isHeld) return@forEach close(entry, Result.LOST)
            entry.doubt(isUnclear = true)
            entry.owner = null
            put(entry)
        }
    }

    /** Belongs to one of the queues or to the writer that took it, so it is closed exactly once. */
    private inner class Entry(val attempt: Attempt, var verdict: Verdict?, private val onSettled: (SettledJob) -> Unit) {
        val lease: Lease get() = attempt.lease
        private var pauses: DoublingDelay? = null

        /** When a postponed settlement is tried again. */
        private var triesAt: ComparableTimeMark? = null

        val untilTry: Duration get() = triesAt?.let { -it.elapsedNow() } ?: Duration.ZERO

        /** The batch of the writer that took it and has not decided about it yet. */
        @Volatile
        var owner: Batch? = null

        /** A transaction with an unknown result, the handler's or a broken one, has written the success or may still do so. */
        var isInDoubt = attempt.isSettledByHandler
            private set

        /** Whether to check first that the success is not written. */
        var mustConfirm = isInDoubt

        fun doubt(isUnclear: Boolean) {
            if (isUnclear && verdict is Verdict.Succeed) isInDoubt = true
            mustConfirm = isInDoubt
        }

        fun postpone() {
            val pauses = pauses ?: DoublingDelay(10.milliseconds, 1.seconds).also { pauses = it }
            triesAt = clock.markNow() + pauses.next()
        }

        fun close(settled: SettledJob) = onSettled(settled)
    }

    private companion object {
        const val MAX_BATCH = 1_000
        const val WORTH_HELP = MAX_BATCH
        val log = LoggerFactory.getLogger(Settler::class.java)
    }
}

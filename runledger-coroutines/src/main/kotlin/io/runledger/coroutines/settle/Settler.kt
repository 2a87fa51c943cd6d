package io.runledger.coroutines.settle

import io.runledger.coroutines.attempt.Attempt
import io.runledger.coroutines.attempt.SettleAction
import io.runledger.coroutines.attempt.SettleResult
import io.runledger.coroutines.loop.DoublingDelay
import io.runledger.coroutines.loop.Ticker
import io.runledger.coroutines.port.SettlePort
import io.runledger.model.lease.ReleasedJob
import io.runledger.model.lease.SettleRequest
import io.runledger.model.lease.SettledJob
import io.runledger.model.lease.Verdict
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
 * Settles attempts in batches: each batch takes all settlements queued since the last one and does not wait for more. The settler
 * abandons a settlement if the database rejects its row or if its lease has expired. It retries every other failure until then,
 * with growing pauses. A locked or rejected row does not delay other settlements.
 */
internal class Settler(
    private val port: SettlePort,
    ticker: Ticker,
    help: Ticker,
    private val clock: TimeSource.WithComparableMarks = TimeSource.Monotonic,
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

    /** Writes [action]; returns when it is confirmed, or when it can no longer be written. */
    suspend fun write(attempt: Attempt, action: SettleAction): SettleResult = suspendCancellableCoroutine { waiting ->
        if (put(Entry(attempt, action, waiting)) >= WORTH_HELP) second.ticker.wake()
        first.ticker.wake()
    }

    /** Writes the queued settlements. Returns the pause until the next pass. */
    suspend fun runOnce(): Duration {
        postponed.removeIf { entry -> entry.triesAt.hasPassedNow().also { isDue -> if (isDue) put(entry) } }
        write(first)
        if (queue.isNotEmpty()) return Duration.ZERO
        return postponed.minOfOrNull { -it.triesAt.elapsedNow() }?.coerceAtLeast(Duration.ZERO) ?: Duration.INFINITE
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

    private fun put(entry: Entry): Int {
        queue += entry
        return waiting.incrementAndGet()
    }

    private fun take(most: Int): List<Entry> = generateSequence {
        queue.poll()?.also { waiting.decrementAndGet() }
    }.take(most).toList()

    private suspend fun flush(batch: Batch) {
        confirm(batch, batch.open.filter { it.action is SettleAction.Confirm })
        settle(batch, batch.open.filter { it.action is SettleAction.Settle })
        release(batch, batch.open.filter { it.action is SettleAction.Release })
    }

    /** If the success was not written, the entry continues with its alternative action. */
    private suspend fun confirm(batch: Batch, entries: List<Entry>) {
        if (entries.isEmpty()) return
        val succeeded = port.succeeded(entries.map { it.attempt.lease.jobId() })
        entries.forEach { entry ->
            val otherwise = (entry.action as SettleAction.Confirm).otherwise
            when {
                entry.attempt.lease.jobId() in succeeded ->
                    batch.close(entry, SettleResult.Settled(SettledJob.Result.SUCCEEDED, null))

                otherwise == null -> batch.close(entry, SettleResult.Unwritten)

                else -> entry.action = otherwise
            }
        }
    }

    private suspend fun settle(batch: Batch, entries: List<Entry>) {
        if (entries.isEmpty()) return
        val settled = port.settle(entries.map { SettleRequest.of(it.attempt.job, (it.action as SettleAction.Settle).verdict) })
        entries.zip(settled) { entry, job ->
            when (job.result()) {
                SettledJob.Result.BUSY -> batch.postpone(entry, isUnclear = job.refusal() != null)
                SettledJob.Result.REFUSED -> batch.giveUp(entry, job.refusal())
                SettledJob.Result.LOST -> batch.lost(entry)
                else -> batch.close(entry, SettleResult.Settled(job.result(), job.nextRunAt(), job.refusal()))
            }
        }
        if (entries.any { it.attempt.job.step() != null }) onStepsEnded()
    }

    private suspend fun release(batch: Batch, entries: List<Entry>) {
        if (entries.isEmpty()) return
        val released = port.release(entries.map { it.attempt.lease }, (entries.first().action as SettleAction.Release).reason)
        entries.zip(released) { entry, job ->
            when (job.result()) {
                ReleasedJob.Result.RELEASED -> batch.close(entry, SettleResult.Released)
                ReleasedJob.Result.LOST -> batch.close(entry, SettleResult.Unwritten)
                ReleasedJob.Result.BUSY -> batch.postpone(entry, isUnclear = false)
                ReleasedJob.Result.REFUSED -> batch.giveUp(entry, job.refusal())
            }
        }
    }

    private class Writer(val ticker: Ticker) {
        var most = MAX_BATCH
    }

    /** Settlements that one writer has taken. Only that writer decides about the [open] ones. */
    private inner class Batch(entries: List<Entry>) {
        val size = entries.size
        val open = LinkedHashSet(entries)

        fun close(entry: Entry, written: SettleResult) {
            open -= entry
            entry.close(written)
        }

        fun giveUp(entry: Entry, refusal: Throwable?) {
            log.error("The database rejects the settlement of job {}, so its lease expires.", entry.attempt.observed, refusal)
            close(entry, SettleResult.Unwritten)
        }

        /** A settlement in doubt may have been committed since the last check, so it is checked once more. */
        fun lost(entry: Entry) {
            if (!entry.isInDoubt) return close(entry, SettleResult.Settled(SettledJob.Result.LOST, null))
            entry.action = SettleAction.Confirm(otherwise = null)
            open -= entry
            put(entry)
        }

        /** Another transaction blocks [entry], or a failure leaves it [isUnclear] whether it was written. */
        fun postpone(entry: Entry, isUnclear: Boolean) {
            if (!entry.attempt.isHeld) return close(entry, SettleResult.Unwritten)
            entry.doubt(isUnclear)
            entry.triesAt = clock.markNow() + entry.pauses.next()
            open -= entry
            postponed += entry
        }

        /** The write failed. The connection may have broken between the commit and its answer. */
        fun tryAgain() = open.toList().forEach { entry ->
            if (!entry.attempt.isHeld) return@forEach close(entry, SettleResult.Unwritten)
            entry.doubt(isUnclear = true)
            open -= entry
            put(entry)
        }
    }

    /** Belongs to one of the queues or to the writer that took it, so it is closed exactly once. */
    private inner class Entry(
        val attempt: Attempt,
        var action: SettleAction,
        private val waiting: CancellableContinuation<SettleResult>,
    ) {
        val pauses = DoublingDelay(10.milliseconds, 1.seconds)
        var triesAt: ComparableTimeMark = clock.markNow()

        /** A transaction with an unknown result, the handler's or a broken one, has written the success or may still do so. */
        var isInDoubt = action is SettleAction.Confirm
            private set

        fun doubt(isUnclear: Boolean) {
            val action = action
            if (isUnclear && action is SettleAction.Settle && action.verdict is Verdict.Succeed) isInDoubt = true
            if (isInDoubt && action !is SettleAction.Confirm) this.action = SettleAction.Confirm(action)
        }

        fun close(written: SettleResult) = waiting.resume(written)
    }

    private companion object {
        const val MAX_BATCH = 1_000
        const val WORTH_HELP = MAX_BATCH
        val log = LoggerFactory.getLogger(Settler::class.java)
    }
}

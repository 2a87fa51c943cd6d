package io.runledger.coroutines.lease

import io.runledger.coroutines.attempt.Attempt
import io.runledger.coroutines.attempt.RunningJobs
import io.runledger.coroutines.loop.Ticker
import io.runledger.coroutines.port.LeasePort
import java.util.concurrent.ConcurrentLinkedQueue
import java.util.concurrent.atomic.AtomicInteger
import kotlin.time.ComparableTimeMark
import kotlin.time.Duration
import kotlin.time.Duration.Companion.milliseconds
import kotlin.time.Duration.Companion.seconds

/**
 * Records the starts of jobs that were claimed ahead. Until its start is recorded, such a job does not spend its attempt if the
 * worker dies, because its handler may not have begun. The last attempt of a job is recorded before its handler begins, so that
 * it never runs twice. Other starts are recorded when the handler has run for [SOON], together; most handlers have ended by
 * then.
 */
internal class StartRecorder(private val port: LeasePort, private val running: RunningJobs, private val ticker: Ticker) {
    private class Waiting(val attempt: Attempt, val onRecorded: () -> Unit)

    private val waiting = ConcurrentLinkedQueue<Waiting>()

    @Volatile
    private var isWatching = false

    suspend fun run(): Nothing = ticker.run(::runOnce)

    /**
     * The handler of [attempts] is about to begin. Calls [begin] when it may: at once, or on another thread when the starts of
     * last attempts are recorded.
     */
    fun whenRecorded(attempts: List<Attempt>, begin: () -> Unit) {
        val last = attempts.filter { it.isClaimedAhead && it.job.isLastAttempt }
        if (last.isEmpty()) return begin()
        val open = AtomicInteger(last.size)
        last.forEach { waiting += Waiting(it) { if (open.decrementAndGet() == 0) begin() } }
        ticker.wake()
    }

    /** The handler of [attempt] begins [now]. */
    fun begun(attempt: Attempt, now: ComparableTimeMark) {
        if (!attempt.isClaimedAhead) return
        attempt.begunAt = now
        if (!isWatching) ticker.wake()
    }

    /** Records the starts that are due. Returns the pause until the next pass. */
    suspend fun runOnce(): Duration {
        val asked = generateSequence { waiting.poll() }.toList()
        // An attempt that begins from here on sees that it must wake the loop, or is seen below.
        isWatching = false
        val unrecorded = running.all.filter { it.isClaimedAhead && !it.isStartRecorded && !it.isSettling && it.begunAt != null }
        isWatching = unrecorded.isNotEmpty()
        val due = asked.map { it.attempt } + unrecorded.filter { it.begunAt?.let { at -> at.elapsedNow() >= SOON } == true }
        if (due.isEmpty()) ticker.idle() else record(due, asked)
        return when {
            waiting.isNotEmpty() -> RETRY
            unrecorded.isNotEmpty() -> SOON
            else -> Duration.INFINITE
        }
    }

    private suspend fun record(due: List<Attempt>, asked: List<Waiting>) {
        try {
            val recorded = port.recordStarts(due.map { it.lease })
            due.forEach { if (it.lease.leaseId() in recorded) it.isStartRecorded = true }
        } finally {
            // A missing one is locked by another session, or lost: then its attempt is stopped and need not wait.
            asked.forEach { entry ->
                val isOver = entry.attempt.isStartRecorded || !entry.attempt.isHeld || entry.attempt.cancellation.isRequested()
                if (isOver) entry.onRecorded() else waiting += entry
            }
        }
    }

    private companion object {
        val SOON = 1.seconds
        val RETRY = 100.milliseconds
    }
}

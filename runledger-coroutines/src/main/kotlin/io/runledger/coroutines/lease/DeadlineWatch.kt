package io.runledger.coroutines.lease

import io.runledger.coroutines.attempt.Attempt
import io.runledger.coroutines.attempt.RunningJobs
import io.runledger.coroutines.claim.HeldJobs
import io.runledger.model.handler.Cancellation
import kotlinx.coroutines.channels.Channel
import kotlinx.coroutines.withTimeoutOrNull
import kotlin.time.ComparableTimeMark
import kotlin.time.Duration
import kotlin.time.Duration.Companion.milliseconds
import kotlin.time.TimeSource

/**
 * Stops attempts whose lease is no longer provably held, by this process's own clock, and attempts whose timeout has passed. One
 * timer serves all attempts. It is set to the earliest of these times, and to at most [longest].
 */
internal class DeadlineWatch(
    private val longest: Duration,
    private val running: RunningJobs,
    private val clock: TimeSource.WithComparableMarks,
    /** Called when a job has been held for the longest time. */
    private val onHeldTooLong: () -> Unit = {},
) {
    private val sooner = Channel<Unit>(Channel.CONFLATED)

    private var isHeldTooLong = false

    @Volatile
    private var nextLook: ComparableTimeMark = clock.markNow() + longest

    suspend fun run(): Nothing {
        while (true) withTimeoutOrNull(runOnce()) { sooner.receive() }
    }

    /** Stops the attempts that are due. Returns the time until the next attempt can be due. */
    fun runOnce(): Duration {
        // The pass below may miss an attempt that starts from here on. Such an attempt requests another pass.
        nextLook = clock.markNow() + longest
        val first = running.all.mapNotNull(::stopOrNext).minOrNull()?.coerceAtMost(nextLook) ?: nextLook
        nextLook = first
        if (isHeldTooLong) onHeldTooLong()
        isHeldTooLong = false
        return (-first.elapsedNow()).coerceAtLeast(SHORTEST)
    }

    /** An attempt with this [deadline] starts, or a job is held until then. */
    fun onDeadline(deadline: ComparableTimeMark) {
        if (deadline < nextLook) sooner.trySend(Unit)
    }

    /** When to check [attempt] again; null if it is stopped or needs no further check. */
    private fun stopOrNext(attempt: Attempt): ComparableTimeMark? {
        if (attempt.isSettling || attempt.cancellation.isOver()) return null
        val holdEnd = attempt.heldSince?.plus(HeldJobs.LONGEST)
        if (holdEnd?.hasPassedNow() == true) isHeldTooLong = true
        val deadline = attempt.deadline.takeUnless { attempt.cancellation.isRequested() }
        // If the handler settles the job in its own transaction, that transaction locks the row, even after the lease expires.
        val provable = attempt.heldUntil.takeUnless { attempt.isSettledByHandler }
        when {
            provable?.hasPassedNow() == true -> attempt.cancellation.request(Cancellation.Reason.LEASE_LOST)
            deadline?.hasPassedNow() == true -> attempt.cancellation.request(Cancellation.Reason.TIMEOUT)
            else -> return listOfNotNull(provable, deadline, holdEnd?.takeUnless { it.hasPassedNow() }).minOrNull()
        }
        return null
    }

    private companion object {
        val SHORTEST = 5.milliseconds
    }
}

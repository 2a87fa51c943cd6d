package io.runledger.coroutines.loop

import io.runledger.coroutines.run.Attempt
import io.runledger.coroutines.run.RunningJobs
import io.runledger.model.run.Cancellation
import kotlinx.coroutines.channels.Channel
import kotlinx.coroutines.withTimeoutOrNull
import kotlin.time.ComparableTimeMark
import kotlin.time.Duration
import kotlin.time.Duration.Companion.milliseconds
import kotlin.time.TimeSource

/**
 * Stops attempts that may not go on: those whose lease is no longer provably held, by this process's own clock, and those
 * whose time is up. One timer serves them all, set to the first of these moments, [longest] at most.
 */
internal class Watch(
    private val longest: Duration,
    private val running: RunningJobs,
    private val clock: TimeSource.WithComparableMarks,
) {
    private val sooner = Channel<Unit>(Channel.CONFLATED)

    @Volatile
    private var nextLook: ComparableTimeMark = clock.markNow() + longest

    suspend fun run(): Nothing {
        while (true) withTimeoutOrNull(runOnce()) { sooner.receive() }
    }

    /** Stops whom it must. Answers how long nobody else's moment can come. */
    fun runOnce(): Duration {
        // Whoever begins from here on may be missed below, and so asks for another look.
        nextLook = clock.markNow() + longest
        val first = running.all.mapNotNull(::stopOrNext).minOrNull()?.coerceAtMost(nextLook) ?: nextLook
        nextLook = first
        return (-first.elapsedNow()).coerceAtLeast(SHORTEST)
    }

    /** An attempt with that [deadline] begins. */
    fun onDeadline(deadline: ComparableTimeMark) {
        if (deadline < nextLook) sooner.trySend(Unit)
    }

    /** When to look at [attempt] again; null for one that is stopped, or left alone from now on. */
    private fun stopOrNext(attempt: Attempt): ComparableTimeMark? {
        if (attempt.isEnding || attempt.cancellation.isOver()) return null
        val deadline = attempt.deadline.takeUnless { attempt.cancellation.isRequested() }
        // The row of a job that its handler's own transaction settles is held by that, lease or no lease.
        val provable = attempt.heldUntil.takeUnless { attempt.isSettledByHandler }
        when {
            provable?.hasPassedNow() == true -> attempt.cancellation.request(Cancellation.Reason.LEASE_LOST)
            deadline?.hasPassedNow() == true -> attempt.cancellation.request(Cancellation.Reason.TIMEOUT)
            else -> return listOfNotNull(provable, deadline).minOrNull()
        }
        return null
    }

    private companion object {
        val SHORTEST = 5.milliseconds
    }
}

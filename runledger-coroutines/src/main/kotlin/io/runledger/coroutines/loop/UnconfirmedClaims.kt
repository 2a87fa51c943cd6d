package io.runledger.coroutines.loop

import io.runledger.coroutines.store.LeaseStore
import io.runledger.model.state.Lease
import io.runledger.model.state.ReleasedJob
import java.util.concurrent.ConcurrentLinkedQueue
import kotlin.time.ComparableTimeMark
import kotlin.time.Duration
import kotlin.time.TimeSource

/**
 * Claims whose commit was not answered. Their jobs may be leased to this worker, which begins none of them and gives them back.
 * The server may still be at a commit that the worker has given up, so a claim of which nothing is leased is asked about again,
 * ever more rarely, until its [lease] would have run out.
 */
internal class UnconfirmedClaims(
    private val lease: Duration,
    private val store: LeaseStore,
    private val clock: TimeSource.WithComparableMarks,
) {
    private val claims = ConcurrentLinkedQueue<Claim>()

    private class Claim(var leases: List<Lease>, val end: ComparableTimeMark, var nextTry: ComparableTimeMark) {
        val pace = Pace.ofRetries()
    }

    fun add(leases: List<Lease>) {
        val now = clock.markNow()
        claims += Claim(leases, now + lease, now)
    }

    /** Gives back what can be by now. Answers when to try again: never, once nothing is left. */
    suspend fun giveBack(): Duration {
        claims.filter { it.nextTry.hasPassedNow() }.forEach { giveBack(it) }
        return claims.minOfOrNull { -it.nextTry.elapsedNow() }?.coerceAtLeast(Duration.ZERO) ?: Duration.INFINITE
    }

    /** A claim is committed whole: once some of its jobs were given back, only those that were busy are left. */
    private suspend fun giveBack(claim: Claim) {
        val answers = store.release(claim.leases, REASON)
        if (answers.any { it.isReleased }) {
            claim.leases = answers.filter { it.result() == ReleasedJob.Result.BUSY }.map { it.lease() }
        }
        val isOver = claim.leases.isEmpty() || claim.end.hasPassedNow()
        if (isOver) claims -= claim else claim.nextTry = clock.markNow() + claim.pace.next()
    }

    private companion object {
        const val REASON = "CLAIM_NOT_CONFIRMED"
    }
}

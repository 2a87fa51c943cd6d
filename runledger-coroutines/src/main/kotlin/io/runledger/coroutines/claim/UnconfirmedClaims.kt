package io.runledger.coroutines.claim

import io.runledger.coroutines.loop.DoublingDelay
import io.runledger.coroutines.port.ClaimPort
import io.runledger.model.job.Lease
import io.runledger.model.lease.SettledJob
import java.util.concurrent.ConcurrentLinkedQueue
import kotlin.time.ComparableTimeMark
import kotlin.time.Duration
import kotlin.time.TimeSource

/**
 * Claims whose commit has no answer. Their jobs may be leased to this worker, which does not start them but releases them. The
 * server may still execute the commit after the worker has given up, so if no job of a claim is leased, the release is repeated
 * with growing delays until the [lease] would have expired.
 */
internal class UnconfirmedClaims(
    private val lease: Duration,
    private val port: ClaimPort,
    private val clock: TimeSource.WithComparableMarks,
) {
    private val claims = ConcurrentLinkedQueue<Claim>()

    private class Claim(var leases: List<Lease>, val end: ComparableTimeMark, var nextTry: ComparableTimeMark) {
        val delays = DoublingDelay.ofRetries()
    }

    fun add(leases: List<Lease>) {
        val now = clock.markNow()
        claims += Claim(leases, now + lease, now)
    }

    /** Releases the claims that are due. Returns the pause until the next try: infinite if no claim is left. */
    suspend fun release(): Duration {
        claims.filter { it.nextTry.hasPassedNow() }.forEach { release(it) }
        return claims.minOfOrNull { -it.nextTry.elapsedNow() }?.coerceAtLeast(Duration.ZERO) ?: Duration.INFINITE
    }

    /** A claim commits all its jobs or none: once some are released, only those that were busy are left. */
    private suspend fun release(claim: Claim) {
        val answers = port.release(claim.leases, REASON)
        if (answers.any { it.result() == SettledJob.Result.RELEASED }) {
            claim.leases = answers.filter { it.result() == SettledJob.Result.BUSY }.map { it.lease() }
        }
        val isOver = claim.leases.isEmpty() || claim.end.hasPassedNow()
        if (isOver) claims -= claim else claim.nextTry = clock.markNow() + claim.delays.next()
    }

    private companion object {
        const val REASON = "CLAIM_NOT_CONFIRMED"
    }
}

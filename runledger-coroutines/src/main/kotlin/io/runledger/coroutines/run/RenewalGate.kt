package io.runledger.coroutines.run

import java.util.concurrent.CompletableFuture

/**
 * Keeps the lease keeper from waiting for a row that a handler's own transaction holds: that would hold up the leases of all
 * other jobs. Either the keeper sees the handler's mark and leaves the job out, or the handler sees the renewal and waits for
 * its end.
 */
internal class RenewalGate {
    @Volatile
    private var renewal: CompletableFuture<Unit>? = null

    /** Runs a renewal; [work] must choose its leases only now. */
    suspend fun <T> renewing(work: suspend () -> T): T {
        val current = CompletableFuture<Unit>()
        renewal = current
        return try {
            work()
        } finally {
            renewal = null
            current.complete(Unit)
        }
    }

    /** Marks [attempt] as one whose row a transaction will hold; blocks for the length of a renewal at most. */
    fun enterTransaction(attempt: Attempt) {
        attempt.isInTransaction = true
        renewal?.get()
    }
}

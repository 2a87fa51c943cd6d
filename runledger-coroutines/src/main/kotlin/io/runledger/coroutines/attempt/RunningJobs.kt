package io.runledger.coroutines.attempt

import kotlinx.coroutines.CompletableDeferred
import java.util.UUID
import java.util.concurrent.ConcurrentHashMap
import java.util.concurrent.atomic.AtomicInteger

/** The attempts whose leases this worker holds. */
internal class RunningJobs {
    private val attempts = ConcurrentHashMap<UUID, Attempt>()
    private val settling = AtomicInteger()

    /** Completed when the last attempt is removed; null while no caller waits for that. */
    @Volatile
    private var emptied: CompletableDeferred<Unit>? = null

    /** How many attempts have ended and are not settled yet. */
    val unsettled: Int get() = settling.get()

    val all: Collection<Attempt> get() = attempts.values

    val isEmpty: Boolean get() = attempts.isEmpty()

    fun add(attempt: Attempt) {
        attempts[attempt.lease.leaseId()] = attempt
    }

    /** The handler has ended, and the job is being settled. */
    fun settle(attempt: Attempt) {
        if (attempt.isSettling) return
        attempt.isSettling = true
        settling.incrementAndGet()
    }

    /** Returns false if it was removed before. */
    fun remove(attempt: Attempt): Boolean {
        val isRemoved = attempts.remove(attempt.lease.leaseId()) != null
        if (isRemoved && attempt.isSettling) settling.decrementAndGet()
        if (attempts.isEmpty()) emptied?.complete(Unit)
        return isRemoved
    }

    /** Returns when there are no attempts. For one caller at a time. */
    suspend fun awaitEmpty() {
        while (!isEmpty) {
            val signal = CompletableDeferred<Unit>()
            // The last attempt may be removed before the caller waits, so it looks again in between.
            emptied = signal
            if (isEmpty) return
            signal.await()
        }
    }

    fun holds(jobId: UUID): Boolean = all.any { it.lease.jobId() == jobId }
}

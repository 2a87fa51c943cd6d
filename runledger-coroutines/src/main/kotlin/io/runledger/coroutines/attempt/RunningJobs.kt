package io.runledger.coroutines.attempt

import java.util.UUID
import java.util.concurrent.ConcurrentHashMap
import java.util.concurrent.atomic.AtomicInteger

/** The attempts whose leases this worker holds. */
internal class RunningJobs {
    private val attempts = ConcurrentHashMap<UUID, Attempt>()
    private val settling = AtomicInteger()

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
        return isRemoved
    }

    fun holds(jobId: UUID): Boolean = all.any { it.lease.jobId() == jobId }
}

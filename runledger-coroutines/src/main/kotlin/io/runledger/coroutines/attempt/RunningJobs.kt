package io.runledger.coroutines.attempt

import java.util.UUID
import java.util.concurrent.ConcurrentHashMap

/** The attempts whose leases this worker holds. */
internal class RunningJobs {
    private val attempts = ConcurrentHashMap<UUID, Attempt>()

    val all: Collection<Attempt> get() = attempts.values

    val isEmpty: Boolean get() = attempts.isEmpty()

    fun add(attempt: Attempt) {
        attempts[attempt.lease.leaseId()] = attempt
    }

    /** Returns false if it was removed before. */
    fun remove(attempt: Attempt): Boolean = attempts.remove(attempt.lease.leaseId()) != null

    fun holds(jobId: UUID): Boolean = all.any { it.lease.jobId() == jobId }
}

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

    fun remove(attempt: Attempt) {
        attempts.remove(attempt.lease.leaseId())
    }

    fun holds(jobId: UUID): Boolean = all.any { it.lease.jobId() == jobId }
}

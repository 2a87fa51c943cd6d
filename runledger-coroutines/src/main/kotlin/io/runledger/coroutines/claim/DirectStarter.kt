package io.runledger.coroutines.claim

import io.runledger.exposed.start.JobStarter
import io.runledger.exposed.start.ReservedSlot
import io.runledger.model.job.Lease
import io.runledger.model.lease.ClaimedJob
import java.time.Duration
import kotlin.time.ComparableTimeMark
import kotlin.time.TimeSource

/**
 * Starts jobs as the worker's own process enqueues them, without a claim: while the gate is open, a slot is free and no other due
 * job is known. As soon as the claim loop has something to claim or to wait for, jobs take the way through the queue again, in
 * the order of their priorities.
 */
internal class DirectStarter(
    private val workerId: String,
    private val lease: Duration,
    jobTypes: Set<String>,
    servesDefaultQueue: Boolean,
    private val slots: Slots,
    private val gate: ClaimGate,
    private val wakeup: ClaimWakeup,
    private val clock: TimeSource.WithComparableMarks,
    private val isBehind: () -> Boolean,
    private val onUnconfirmed: (Lease) -> Unit,
    /** Called if a slot that was taken is not used. */
    private val freeSlot: (jobType: String) -> Unit,
    /** Starts a job whose slot is taken. */
    private val start: (ClaimedJob, sentAt: ComparableTimeMark) -> Unit,
) : JobStarter {
    /** Such jobs are in no named queue. */
    private val startable = if (servesDefaultQueue) jobTypes else emptySet()

    override fun reserve(jobType: String): ReservedSlot? {
        if (jobType !in startable || !wakeup.isCaughtUp || !gate.pass()) return null
        val isTaken = !isBehind() && slots.takeIdle(jobType)
        if (isTaken) return Reserved(jobType)
        gate.passed()
        return null
    }

    private inner class Reserved(private val jobType: String) : ReservedSlot {
        private val sentAt = clock.markNow()

        override fun workerId(): String = workerId

        override fun lease(): Duration = lease

        override fun start(job: ClaimedJob) {
            try {
                start(job, sentAt)
            } finally {
                gate.passed()
            }
        }

        override fun leave() {
            try {
                freeSlot(jobType)
            } finally {
                gate.passed()
            }
        }

        override fun unconfirmed(lease: Lease) {
            onUnconfirmed(lease)
            leave()
        }
    }
}

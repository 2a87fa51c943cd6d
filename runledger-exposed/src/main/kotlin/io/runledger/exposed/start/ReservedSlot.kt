package io.runledger.exposed.start

import io.runledger.model.job.Lease
import io.runledger.model.lease.ClaimedJob
import java.time.Duration

/**
 * A slot that is reserved for one job until one of [start], [leave] and [unconfirmed] is called. The job is enqueued with a lease
 * of [workerId] that lasts for [lease], as one that was claimed ahead: the attempt counts from the recorded start.
 */
public interface ReservedSlot {
    public fun workerId(): String

    public fun lease(): Duration

    /** The job is enqueued and leased. */
    public fun start(job: ClaimedJob)

    /** No job is leased. */
    public fun leave()

    /** The call that enqueues has failed without an answer: the job may be enqueued with this [lease]. Release it. */
    public fun unconfirmed(lease: Lease)
}

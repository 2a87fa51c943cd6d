package io.runledger.exposed.start

/**
 * Starts jobs of a client in the same process as they are enqueued, without a claim. The calls are made on the threads that
 * enqueue, several at once. Return quickly, and do not block.
 */
public fun interface JobStarter {
    /** Reserves a slot for a job of [jobType] that is due at once. Null if the job should wait for a claim instead. */
    public fun reserve(jobType: String): ReservedSlot?
}

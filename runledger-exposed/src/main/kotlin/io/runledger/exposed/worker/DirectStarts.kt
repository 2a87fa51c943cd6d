package io.runledger.exposed.worker

import io.runledger.exposed.start.JobStarter
import io.runledger.exposed.start.Starters

/** Jobs that the worker's own client enqueues, and that the worker starts at once, without a claim. */
@WorkerApi
public class DirectStarts internal constructor(private val starters: Starters) {
    /**
     * Asks [starter] for a slot for every single due job that the client enqueues in a transaction of its own, until the result
     * is closed. Jobs of paused types are not started, and neither are those that are enqueued together with others.
     */
    public fun register(starter: JobStarter): AutoCloseable = starters.register(starter)
}

package io.runledger.coroutines.port

import io.runledger.exposed.start.JobStarter
import io.runledger.exposed.worker.DirectStarts
import io.runledger.exposed.worker.WorkerApi

/** Jobs that the process of the worker enqueues, and that may start without a claim. */
internal fun interface StartPort {
    /** Asks [starter] for a slot for each of these jobs, until the result is closed. */
    fun register(starter: JobStarter): AutoCloseable
}

@OptIn(WorkerApi::class)
internal class LedgerStarts(private val ledger: DirectStarts) : StartPort {
    override fun register(starter: JobStarter): AutoCloseable = ledger.register(starter)
}

package io.runledger.coroutines.store

import kotlinx.coroutines.CoroutineDispatcher
import kotlinx.coroutines.Dispatchers
import java.util.concurrent.Semaphore

/** How many calls, hence connections, are out at a time: those of [ledgers] ledgers, by their loops and by their handlers. */
internal class Calls(ledgers: Int = 1) {
    val loops: CoroutineDispatcher = Dispatchers.IO.limitedParallelism(ledgers * OF_LOOPS, "runledger-loops")
    val handlers: Semaphore = Semaphore(ledgers * OF_HANDLERS, true)

    companion object {
        /** One more than there are lanes for what may hang, see [ExposedLeaseStore]. */
        const val OF_LOOPS = 5
        const val OF_HANDLERS = 4
    }
}

package io.runledger.coroutines.port

import kotlinx.coroutines.CoroutineDispatcher
import kotlinx.coroutines.Dispatchers
import java.util.concurrent.Semaphore

/** Limits the concurrent calls, hence connections, of [ledgers] ledgers: separately for their loops and their handlers. */
internal class Calls(ledgers: Int = 1) {
    val loops: CoroutineDispatcher = Dispatchers.IO.limitedParallelism(ledgers * OF_LOOPS, "runledger-loops")
    val handlers: Semaphore = Semaphore(ledgers * OF_HANDLERS, true)

    companion object {
        /** One more than there are lanes for calls that may hang, see [Lanes]. */
        const val OF_LOOPS = 5
        const val OF_HANDLERS = 4
    }
}

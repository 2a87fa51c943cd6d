package io.runledger.coroutines.store

import kotlinx.coroutines.CoroutineDispatcher
import kotlinx.coroutines.Dispatchers
import java.util.concurrent.Semaphore

/** How many calls, hence connections, are out at a time: [most] of loops and as many of handlers. */
internal class Calls(most: Int = OF_ONE_LEDGER) {
    val loops: CoroutineDispatcher = Dispatchers.IO.limitedParallelism(most, "runledger-loops")
    val handlers: Semaphore = Semaphore(most, true)

    companion object {
        const val OF_ONE_LEDGER = 4
    }
}

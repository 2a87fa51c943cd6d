package io.runledger.coroutines

import io.runledger.coroutines.loop.FairShares
import io.runledger.coroutines.store.Calls
import kotlinx.coroutines.CoroutineDispatcher
import kotlinx.coroutines.Dispatchers

/** What the workers of a process share when it serves many ledgers: places for jobs, calls to the database, threads of loops. */
internal class Premises(places: Int) {
    val places: FairShares = FairShares(places)
    val calls: Calls = Calls(CALLS)
    val threads: CoroutineDispatcher = newThreads()

    companion object {
        /** Twice what one ledger may use, so that one whose calls hang leaves as many to the others. */
        private const val CALLS = 2 * Calls.OF_ONE_LEDGER
        private const val THREADS = 4

        fun newThreads(): CoroutineDispatcher = Dispatchers.IO.limitedParallelism(THREADS, "runledger-worker")
    }
}

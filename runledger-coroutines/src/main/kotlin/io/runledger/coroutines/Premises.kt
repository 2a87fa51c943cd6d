package io.runledger.coroutines

import io.runledger.coroutines.loop.FairShares
import io.runledger.coroutines.store.Calls
import kotlinx.coroutines.CoroutineDispatcher
import kotlinx.coroutines.Dispatchers

/** What the workers of a process share when it serves many ledgers: places for jobs, calls to the database, threads of loops. */
internal class Premises(places: Int) {
    val places: FairShares = FairShares(places)
    val calls: Calls = Calls(LEDGERS)
    val threads: CoroutineDispatcher = newThreads()

    companion object {
        /** Twice the calls of one ledger, so that one whose calls hang leaves as many to the others. */
        private const val LEDGERS = 2
        private const val THREADS = 4

        fun newThreads(): CoroutineDispatcher = Dispatchers.IO.limitedParallelism(THREADS, "runledger-worker")
    }
}

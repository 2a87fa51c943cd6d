package io.runledger.coroutines.worker

import io.runledger.coroutines.claim.FairShares
import io.runledger.coroutines.port.Calls
import kotlinx.coroutines.CoroutineDispatcher
import kotlinx.coroutines.Dispatchers

/** Shared by the workers of a process that serves many ledgers: slots for jobs, calls to the database, threads of loops. */
internal class SharedResources(slots: Int) {
    val shares: FairShares = FairShares(slots)
    val calls: Calls = Calls(LEDGERS)
    val threads: CoroutineDispatcher = newThreads()

    companion object {
        /** Twice the calls of one ledger: if all calls of one ledger hang, the others still have as many. */
        private const val LEDGERS = 2
        private const val THREADS = 4

        fun newThreads(): CoroutineDispatcher = Dispatchers.IO.limitedParallelism(THREADS, "runledger-worker")
    }
}

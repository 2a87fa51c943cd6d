package io.runledger.coroutines.port

import kotlinx.coroutines.CoroutineDispatcher
import kotlinx.coroutines.CoroutineScope
import kotlinx.coroutines.SupervisorJob
import kotlinx.coroutines.async
import kotlinx.coroutines.currentCoroutineContext
import kotlin.coroutines.ContinuationInterceptor
import kotlin.coroutines.CoroutineContext

/**
 * The calls of the loops to the ledger: at most five at a time, hence five connections, on threads that handlers cannot use up.
 * If a call hangs, for example on a dead network, the loop that is canceled leaves it behind; it ends when its connection does.
 *
 * Claims, reaping, the other housekeeping and heartbeats of the fleet have a lane each, with one call at a time. None of the four
 * waits for another, and if all of them hang, one call is left to renew leases and settle jobs.
 */
internal class Lanes(process: Calls = Calls()) {
    private val all = process.loops.limitedParallelism(Calls.OF_LOOPS)
    private val claiming = all.limitedParallelism(1, "runledger-claims")
    private val reaping = all.limitedParallelism(1, "runledger-reaping")
    private val housekeeping = all.limitedParallelism(1, "runledger-housekeeping")
    private val fleet = all.limitedParallelism(1, "runledger-fleet")
    private val calls = CoroutineScope(SupervisorJob())

    /** The lane of claims, for a loop that makes its calls by [claimingHere]. */
    val claims: CoroutineContext get() = claiming

    suspend fun <T> any(work: () -> T): T = call(all, work)

    suspend fun <T> claiming(work: () -> T): T = call(claiming, work)

    /**
     * Like [claiming], on the caller's own thread if the caller runs in the lane. Waking two other threads would take longer than
     * many claims. A caller that is canceled waits for the call.
     */
    suspend fun <T> claimingHere(work: () -> T): T =
        if (currentCoroutineContext()[ContinuationInterceptor] === claiming) work() else claiming(work)

    suspend fun <T> reaping(work: () -> T): T = call(reaping, work)

    suspend fun <T> housekeeping(work: () -> T): T = call(housekeeping, work)

    suspend fun <T> fleet(work: () -> T): T = call(fleet, work)

    /** A caller that is canceled returns at once; the call continues. */
    private suspend fun <T> call(lane: CoroutineDispatcher, work: () -> T): T = calls.async(lane) { work() }.await()
}

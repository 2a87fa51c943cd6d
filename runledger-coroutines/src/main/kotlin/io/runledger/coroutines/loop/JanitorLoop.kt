package io.runledger.coroutines.loop

import io.runledger.coroutines.store.LeaseStore
import io.runledger.model.spec.PruneRequest
import io.runledger.model.state.JobStatus
import kotlin.time.Duration

/** Forgets ended jobs once they are older than [kept] says. */
internal class JanitorLoop(
    private val interval: Duration,
    private val kept: Map<JobStatus, java.time.Duration>,
    private val store: LeaseStore,
    private val ticker: Ticker,
) {
    private var open: List<PruneRequest> = emptyList()

    suspend fun run(): Nothing = ticker.run(::runOnce)

    /** Prunes one batch. Asks to go on at once until a whole round is done. */
    suspend fun runOnce(): Duration {
        if (open.isEmpty()) open = kept.map { (status, age) -> PruneRequest.of(age, setOf(status), BATCH) }
        val request = open.firstOrNull() ?: return interval
        val next = store.prune(request).next()
        open = if (next == null) open.drop(1) else listOf(request.after(next)) + open.drop(1)
        return if (open.isEmpty()) interval else Duration.ZERO
    }

    private companion object {
        const val BATCH = 500
    }
}

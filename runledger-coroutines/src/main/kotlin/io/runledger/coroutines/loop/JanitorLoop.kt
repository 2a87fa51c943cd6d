package io.runledger.coroutines.loop

import io.runledger.coroutines.store.LeaseStore
import io.runledger.model.spec.PruneRequest
import io.runledger.model.spec.PruneRunsRequest
import io.runledger.model.state.JobStatus
import io.runledger.model.state.WorkflowRunStatus
import kotlin.time.Duration

/**
 * Forgets ended jobs once they are older than [kept] says, ended runs once they are older than [keptRuns] says, lines of
 * schedules' histories once they are older than [keptFires], and workers that vanished longer ago than [keptWorkers].
 */
internal class JanitorLoop(
    private val interval: Duration,
    private val kept: Map<JobStatus, java.time.Duration>,
    private val keptRuns: Map<WorkflowRunStatus, java.time.Duration>,
    private val keptFires: java.time.Duration?,
    private val keptWorkers: java.time.Duration?,
    private val store: LeaseStore,
    private val ticker: Ticker,
) {
    private var open: List<Chore> = emptyList()

    suspend fun run(): Nothing = ticker.run(::runOnce)

    /** Prunes one batch. Asks to go on at once until a whole round is done. */
    suspend fun runOnce(): Duration {
        if (open.isEmpty()) open = round()
        val chore = open.firstOrNull() ?: return interval
        open = listOfNotNull(chore.next()) + open.drop(1)
        return if (open.isEmpty()) interval else Duration.ZERO
    }

    private fun round(): List<Chore> = kept.map { (status, age) -> jobs(PruneRequest.of(age, setOf(status), BATCH)) } +
        keptRuns.map { (status, age) -> runs(PruneRunsRequest.of(age, setOf(status), RUN_BATCH)) } +
        listOfNotNull(keptFires?.let(::fires), keptWorkers?.let(::workers))

    private fun jobs(request: PruneRequest): Chore = Chore { store.prune(request).next()?.let { jobs(request.after(it)) } }

    private fun runs(request: PruneRunsRequest): Chore =
        Chore { store.pruneRuns(request).next()?.let { runs(request.after(it)) } }

    private fun fires(age: java.time.Duration): Chore = Chore { if (store.pruneFires(age, BATCH) == BATCH) fires(age) else null }

    private fun workers(age: java.time.Duration): Chore =
        Chore { if (store.pruneWorkers(age, BATCH) == BATCH) workers(age) else null }

    /** Prunes a batch, and answers what is left to do after it. */
    private fun interface Chore {
        suspend fun next(): Chore?
    }

    private companion object {
        const val BATCH = 500

        /** A run has any number of steps and jobs. */
        const val RUN_BATCH = 100
    }
}

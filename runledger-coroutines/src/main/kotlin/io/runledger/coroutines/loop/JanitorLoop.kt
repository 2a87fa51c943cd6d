package io.runledger.coroutines.loop

import io.runledger.coroutines.store.LeaseStore
import io.runledger.model.error.ErrorCategory
import io.runledger.model.error.ErrorCode
import io.runledger.model.error.RunledgerException
import io.runledger.model.spec.PruneRequest
import io.runledger.model.spec.PruneRunsRequest
import io.runledger.model.state.JobStatus
import io.runledger.model.state.PruneRefusal
import io.runledger.model.state.WorkflowRunStatus
import org.slf4j.Logger
import org.slf4j.LoggerFactory
import kotlin.time.Duration

/**
 * Forgets ended jobs once they are older than [kept] says, ended runs once they are older than [keptRuns] says, lines of
 * schedules' histories once they are older than [keptFires], of triggers' once they are older than [keptPolls], and workers that
 * vanished longer ago than [keptWorkers]. A worker whose role may not delete history says so once, and goes on without.
 */
internal class JanitorLoop(
    private val interval: Duration,
    private val kept: Map<JobStatus, java.time.Duration>,
    private val keptRuns: Map<WorkflowRunStatus, java.time.Duration>,
    private val keptFires: java.time.Duration?,
    private val keptPolls: java.time.Duration?,
    private val keptWorkers: java.time.Duration?,
    private val store: LeaseStore,
    private val ticker: Ticker,
) {
    private var open: List<Chore> = emptyList()
    private var mayForget = true

    suspend fun run(): Nothing = ticker.run(::runOnce)

    /**
     * Prunes one batch. Asks to go on at once until a whole round is done. A chore that fails is left for the next round, so
     * that it does not keep the others from being done.
     */
    suspend fun runOnce(): Duration {
        if (open.isEmpty()) open = round()
        val chore = open.firstOrNull() ?: return interval
        open = open.drop(1)
        val rest = try {
            chore.next()
        } catch (failure: RunledgerException) {
            // Only what passes is worth a pause before the next chore.
            if (failure.code().category() == ErrorCategory.UNAVAILABLE) throw failure
            if (mayForget && failure.code() == ErrorCode.PERMISSION_DENIED) forgetNothing(failure) else ticker.failed(failure)
            null
        }
        open = listOfNotNull(rest) + open
        return if (open.isEmpty()) interval else Duration.ZERO
    }

    private fun forgetNothing(denied: RunledgerException) {
        mayForget = false
        open = round()
        log.warn("This worker's role may not delete history, so it forgets nothing: {}", ADVICE, denied)
    }

    private fun round(): List<Chore> = (if (mayForget) history() else emptyList()) + listOfNotNull(keptWorkers?.let(::workers))

    private fun history(): List<Chore> = kept.map { (status, age) -> jobs(PruneRequest.of(age, setOf(status), BATCH)) } +
        keptRuns.map { (status, age) -> runs(PruneRunsRequest.of(age, setOf(status), RUN_BATCH)) } +
        listOfNotNull(keptFires?.let(::fires), keptPolls?.let(::polls))

    private fun jobs(request: PruneRequest): Chore = Chore {
        val report = store.prune(request)
        tell("jobs", report.refused())
        report.next()?.let { jobs(request.after(it)) }
    }

    private fun runs(request: PruneRunsRequest): Chore = Chore {
        val report = store.pruneRuns(request)
        tell("runs", report.refused())
        report.next()?.let { runs(request.after(it)) }
    }

    private fun fires(age: java.time.Duration): Chore = Chore { if (store.pruneFires(age, BATCH) == BATCH) fires(age) else null }

    private fun polls(age: java.time.Duration): Chore = Chore { if (store.prunePolls(age, BATCH) == BATCH) polls(age) else null }

    private fun workers(age: java.time.Duration): Chore =
        Chore { if (store.pruneWorkers(age, BATCH) == BATCH) workers(age) else null }

    private fun tell(what: String, refused: List<PruneRefusal>) {
        val first = refused.firstOrNull() ?: return
        log.warn(
            "{} {} are old enough to be forgotten and cannot be deleted, so they stay. The first is {}: {}",
            refused.size,
            what,
            first.id(),
            first.refusal().message,
        )
    }

    /** Prunes a batch, and answers what is left to do after it. */
    private fun interface Chore {
        suspend fun next(): Chore?
    }

    private companion object {
        val log: Logger = LoggerFactory.getLogger(JanitorLoop::class.java)

        const val BATCH = 500

        /** A run has any number of steps and jobs. */
        const val RUN_BATCH = 100

        const val ADVICE = "make one worker's role a member of runledger_operator, or say keepEverything() in its config."
    }
}

package io.runledger.coroutines.housekeeping

import io.runledger.coroutines.loop.Ticker
import io.runledger.coroutines.port.HousekeepingPort
import io.runledger.model.error.ErrorCategory
import io.runledger.model.error.ErrorCode
import io.runledger.model.error.RunledgerException
import io.runledger.model.job.JobStatus
import io.runledger.model.retention.PruneRefusal
import io.runledger.model.retention.PruneRequest
import io.runledger.model.retention.PruneRunsRequest
import io.runledger.model.workflow.WorkflowRunStatus
import org.slf4j.Logger
import org.slf4j.LoggerFactory
import kotlin.time.Duration

/**
 * Deletes rows that are past their retention: ended jobs ([kept]), ended runs ([keptRuns]), history of schedules ([keptFires])
 * and of triggers ([keptPolls]), lost workers ([keptWorkers]), and keys of limits that were used an hour ago. If the worker's
 * role may not delete history, the loop logs that once and continues with the lost workers and the keys only.
 */
internal class JanitorLoop(
    private val interval: Duration,
    private val kept: Map<JobStatus, java.time.Duration>,
    private val keptRuns: Map<WorkflowRunStatus, java.time.Duration>,
    private val keptFires: java.time.Duration?,
    private val keptPolls: java.time.Duration?,
    private val keptWorkers: java.time.Duration?,
    private val port: HousekeepingPort,
    private val ticker: Ticker,
) {
    private var open: List<Chore> = emptyList()
    private var mayDelete = true

    suspend fun run(): Nothing = ticker.run(::runOnce)

    /**
     * Prunes one batch. Returns zero until the round is complete. A chore that fails waits for the next round, so that it does
     * not block the others.
     */
    suspend fun runOnce(): Duration {
        if (open.isEmpty()) open = round()
        val chore = open.firstOrNull() ?: return interval
        open = open.drop(1)
        val rest = try {
            chore.next()
        } catch (failure: RunledgerException) {
            // Only a transient failure is worth a pause before the next chore.
            if (failure.code().category() == ErrorCategory.UNAVAILABLE) throw failure
            if (mayDelete && failure.code() == ErrorCode.PERMISSION_DENIED) deleteNothing(failure) else ticker.failed(failure)
            null
        }
        open = listOfNotNull(rest) + open
        return if (open.isEmpty()) interval else Duration.ZERO
    }

    private fun deleteNothing(denied: RunledgerException) {
        mayDelete = false
        open = round()
        log.warn("This worker's role may not delete history, so old rows are kept: {}", ADVICE, denied)
    }

    private fun round(): List<Chore> =
        (if (mayDelete) history() else emptyList()) + listOfNotNull(keptWorkers?.let(::workers)) + limitKeys()

    private fun history(): List<Chore> = kept.map { (status, age) -> jobs(PruneRequest.of(age, setOf(status), BATCH)) } +
        keptRuns.map { (status, age) -> runs(PruneRunsRequest.of(age, setOf(status), RUN_BATCH)) } +
        listOfNotNull(keptFires?.let(::fires), keptPolls?.let(::polls))

    private fun jobs(request: PruneRequest): Chore = Chore {
        val report = port.prune(request)
        logRefused("jobs", report.refused())
        report.next()?.let { jobs(request.after(it)) }
    }

    private fun runs(request: PruneRunsRequest): Chore = Chore {
        val report = port.pruneRuns(request)
        logRefused("runs", report.refused())
        report.next()?.let { runs(request.after(it)) }
    }

    private fun fires(age: java.time.Duration): Chore = Chore { if (port.pruneFires(age, BATCH) == BATCH) fires(age) else null }

    private fun polls(age: java.time.Duration): Chore = Chore { if (port.prunePolls(age, BATCH) == BATCH) polls(age) else null }

    private fun workers(age: java.time.Duration): Chore =
        Chore { if (port.pruneWorkers(age, BATCH) == BATCH) workers(age) else null }

    private fun limitKeys(): Chore = Chore { if (port.pruneLimitKeys(KEYS_KEPT, KEY_BATCH) == KEY_BATCH) limitKeys() else null }

    private fun logRefused(what: String, refused: List<PruneRefusal>) {
        val first = refused.firstOrNull() ?: return
        log.warn(
            "{} {} are past their retention and cannot be deleted, so they are kept. The first is {}: {}",
            refused.size,
            what,
            first.id(),
            first.refusal().message,
        )
    }

    /** Prunes one batch. Returns the chore for the next batch, or null if none is left. */
    private fun interface Chore {
        suspend fun next(): Chore?
    }

    private companion object {
        val log: Logger = LoggerFactory.getLogger(JanitorLoop::class.java)

        const val BATCH = 500

        /** Smaller than [BATCH]: a run has any number of steps and jobs. */
        const val RUN_BATCH = 100

        /** Rows of keys are small. */
        const val KEY_BATCH = 10_000

        val KEYS_KEPT: java.time.Duration = java.time.Duration.ofHours(1)

        const val ADVICE = "make one worker's role a member of runledger_operator, or call keepEverything() in its config."
    }
}

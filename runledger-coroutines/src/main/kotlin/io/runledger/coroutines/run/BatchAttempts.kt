package io.runledger.coroutines.run

import io.runledger.coroutines.Handlers
import io.runledger.coroutines.attempt.Attempt
import io.runledger.coroutines.attempt.RunningJobs
import io.runledger.coroutines.claim.Turnover
import io.runledger.coroutines.lease.StartRecorder
import io.runledger.coroutines.settle.Settler
import io.runledger.coroutines.settle.Verdicts
import io.runledger.coroutines.watch.AttemptReporter
import io.runledger.model.handler.JobOutcome
import io.runledger.model.lease.SettledJob
import io.runledger.model.lease.Verdict
import kotlinx.coroutines.Job
import kotlinx.coroutines.coroutineScope
import kotlinx.coroutines.currentCoroutineContext
import kotlinx.coroutines.ensureActive
import kotlinx.coroutines.launch
import org.slf4j.LoggerFactory
import kotlin.time.Duration
import kotlin.time.TimeSource

/** Runs several jobs of a type in one call of their batch handler, until the settlement of each is confirmed. */
internal class BatchAttempts(
    private val handlers: Handlers,
    private val preparation: AttemptPreparation,
    private val runner: BatchRunner,
    private val overtime: Overtime,
    private val verdicts: Verdicts,
    private val settler: Settler,
    private val turnover: Turnover,
    private val starts: StartRecorder,
    private val running: RunningJobs,
    private val reporter: AttemptReporter,
    private val clock: TimeSource.WithComparableMarks,
) {
    /** Calls [free] once, when the handler has ended and its slot is free. Returns when all jobs of the [batch] are settled. */
    suspend fun live(batch: List<Attempt>, free: () -> Unit) {
        val registration = batch.first().registration
        var isFree = false
        try {
            live(batch, registration) { stuck ->
                isFree = true
                stuck?.invokeOnCompletion { free() } ?: free()
            }
        } catch (unexpected: Exception) {
            currentCoroutineContext().ensureActive()
            val open = batch.filter(running::remove)
            log.error("Jobs {} cannot be settled, so their leases expire.", open.map { it.observed }, unexpected)
            open.forEach { reporter.unwritten(it, null) }
        } finally {
            batch.forEach(running::remove)
            if (!isFree) free()
        }
    }

    private suspend fun <P : Any> live(
        batch: List<Attempt>,
        registration: Handlers.Registration<P>,
        onEnded: (stuck: Job?) -> Unit,
    ) = coroutineScope {
        val now = clock.markNow()
        batch.forEach { starts.begun(it, now) }
        val (ready, ended) = batch.map { preparation.prepare(it, registration, now) }.partition { it.context != null }
        // Their settlement does not wait for the handler of the others.
        if (ended.isNotEmpty()) launch { settle(ended.associate { it.attempt to it.outcome }, Duration.ZERO) }
        val members = ready.mapNotNull { job -> job.context?.let { BatchRunner.Member(job.attempt, it) } }
        if (members.isEmpty()) return@coroutineScope onEnded(null)
        val type = registration.type.name()
        val begin = clock.markNow()
        turnover.begun(type, begin, members.size)
        val outcomes = runner.run(checkNotNull(registration.batch), members, handlers.classifierOf(type))
        val elapsed = begin.elapsedNow()
        turnover.ended(type, elapsed)
        val (stuck, over) = outcomes.keys.partition { it.cancellation.stuck != null }
        over.forEach(running::settle)
        onEnded(stuck.firstOrNull()?.cancellation?.stuck)
        stuck.forEach { launch { settleStuck(it, outcomes[it], elapsed) } }
        settle(over.associateWith { outcomes[it] }, elapsed)
    }

    /** The handler ignores its stop. Each job waits for it as long as its reason allows. */
    private suspend fun settleStuck(attempt: Attempt, outcome: JobOutcome?, elapsed: Duration) {
        val reason = checkNotNull(attempt.cancellation.stopped)
        log.warn("The handler of job {} was asked to stop ({}) and still runs; it keeps its slot.", attempt.observed, reason)
        reporter.stuck(attempt, reason)
        settle(mapOf(attempt to overtime.await(attempt, outcome)), elapsed)
    }

    /** Settles the attempts together. Each is reported when it is settled, and is not running any more then. */
    private suspend fun settle(outcomes: Map<Attempt, JobOutcome?>, elapsed: Duration) {
        val decided = HashMap<Attempt, Verdict?>(outcomes.size * 2)
        outcomes.forEach { (attempt, outcome) ->
            running.settle(attempt)
            decide(attempt, outcome, decided)
        }
        settler.writeAll(decided) { attempt, settled -> settled(attempt, decided[attempt], settled, elapsed) }
    }

    /** Adds the verdict, unless there is nothing to write. A verdict that fails does not delay the others. */
    private fun decide(attempt: Attempt, outcome: JobOutcome?, decided: MutableMap<Attempt, Verdict?>) = try {
        val verdict = verdicts.of(attempt, outcome)
        if (verdict == null && !attempt.isSettledByHandler) {
            reporter.unwritten(attempt, attempt.cancellation.stopped)
            running.remove(attempt)
        } else {
            decided[attempt] = verdict
        }
    } catch (unexpected: Exception) {
        log.error("Job {} cannot be settled, so its lease expires.", attempt.observed, unexpected)
        reporter.unwritten(attempt, null)
        running.remove(attempt)
    }

    private fun settled(attempt: Attempt, verdict: Verdict?, settled: SettledJob, elapsed: Duration) {
        running.remove(attempt)
        try {
            reporter.ended(attempt, verdict, settled, elapsed)
        } catch (unexpected: Exception) {
            log.error("The end of job {} cannot be reported.", attempt.observed, unexpected)
        }
    }

    private companion object {
        val log = LoggerFactory.getLogger(BatchAttempts::class.java)
    }
}

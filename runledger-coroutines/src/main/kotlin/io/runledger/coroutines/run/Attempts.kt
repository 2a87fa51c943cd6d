package io.runledger.coroutines.run

import io.runledger.coroutines.Handlers
import io.runledger.coroutines.attempt.Attempt
import io.runledger.coroutines.attempt.RunningJobs
import io.runledger.coroutines.claim.HeldJobs
import io.runledger.coroutines.claim.Slots
import io.runledger.coroutines.claim.Turnover
import io.runledger.coroutines.lease.StartRecorder
import io.runledger.coroutines.settle.Settler
import io.runledger.coroutines.settle.Verdicts
import io.runledger.coroutines.watch.AttemptReporter
import io.runledger.model.handler.Cancellation
import io.runledger.model.handler.JobOutcome
import io.runledger.model.lease.ClaimedJob
import kotlinx.coroutines.CoroutineScope
import kotlinx.coroutines.CoroutineStart
import kotlinx.coroutines.DelicateCoroutinesApi
import kotlinx.coroutines.Dispatchers
import kotlinx.coroutines.currentCoroutineContext
import kotlinx.coroutines.ensureActive
import kotlinx.coroutines.launch
import org.slf4j.LoggerFactory
import kotlin.coroutines.CoroutineContext
import kotlin.coroutines.EmptyCoroutineContext
import kotlin.time.ComparableTimeMark
import kotlin.time.TimeSource
import kotlin.time.toKotlinDuration

/** Runs each claimed job from its claim until its settlement is confirmed. */
internal class Attempts(
    private val scope: CoroutineScope,
    private val handlers: Handlers,
    private val ledger: String,
    private val preparation: AttemptPreparation,
    private val runner: JobRunner,
    private val batches: BatchAttempts,
    private val overtime: Overtime,
    private val verdicts: Verdicts,
    private val settler: Settler,
    private val slots: Slots,
    private val held: HeldJobs,
    private val turnover: Turnover,
    private val starts: StartRecorder,
    private val running: RunningJobs,
    private val reporter: AttemptReporter,
    private val clock: TimeSource.WithComparableMarks,
    private val onDeadline: (ComparableTimeMark) -> Unit,
    /** Called when a handler has ended, and again when its job is settled. */
    private val onEnded: () -> Unit,
) {
    @Volatile
    private var isStopping = false

    /**
     * Starts [jobs], whose leases are held at least until [heldUntil]. If they were claimed ahead, those without a free slot
     * wait for one. After [stop], the jobs are released instead. After the [scope] is cancelled, the jobs are not started, and
     * their leases expire.
     */
    fun start(jobs: List<ClaimedJob>, heldUntil: ComparableTimeMark, isAhead: Boolean = false) {
        val attempts = jobs.map { take(it, heldUntil, isAhead) }
        if (isAhead) {
            attempts.forEach(held::add)
            attempts.firstOrNull()?.heldSince?.let { onDeadline(it + HeldJobs.LONGEST) }
            // Jobs are started on another thread, so that the next claim runs meanwhile.
            launchAtomically { beginHeld() }
        } else {
            val calls = calls(attempts)
            calls.forEach { slots.take(it.first().job.jobType()) }
            if (attempts.size < MANY) calls.forEach(::begin) else launchAtomically { calls.forEach(::begin) }
        }
    }

    /** The attempts of each call of a handler: one, or a batch. */
    private fun calls(attempts: List<Attempt>): List<List<Attempt>> = if (handlers.batchSizes.isEmpty()) {
        attempts.map(::listOf)
    } else {
        attempts.groupBy { it.job.jobType() }.flatMap { (type, ofType) -> ofType.chunked(handlers.batchSizes[type] ?: 1) }
    }

    /** Starts held jobs while there are free slots. */
    fun beginHeld() {
        while (true) begin(held.next() ?: return)
    }

    private fun take(job: ClaimedJob, heldUntil: ComparableTimeMark, isAhead: Boolean): Attempt {
        val registration = checkNotNull(handlers.of(job.jobType())) { "The worker has no handler for '${job.jobType()}'." }
        val attempt = Attempt(job, registration, heldUntil, ledger, isAhead)
        running.add(attempt)
        if (isStopping) attempt.cancellation.request(Cancellation.Reason.SHUTDOWN)
        reporter.claimed(attempt)
        return attempt
    }

    // Nothing here blocks, so each thread that reports progress also runs the next step of the attempt: the claim starts the
    // handler, the handler's thread calls the settler, the settler calls the reporter. No thread needs to be woken in between.
    private fun begin(call: List<Attempt>) {
        val first = call.first()
        launchAtomically(Dispatchers.Unconfined) { if (first.registration.batch == null) live(first) else liveTogether(call) }
    }

    // A claim may be answered after the worker has ended. An atomic start runs the cleanup even then.
    @OptIn(DelicateCoroutinesApi::class)
    private fun launchAtomically(context: CoroutineContext = EmptyCoroutineContext, block: suspend () -> Unit) {
        scope.launch(context, CoroutineStart.ATOMIC) { block() }
    }

    /** Asks every handler to stop. */
    fun stop() {
        isStopping = true
        running.all.forEach { it.cancellation.request(Cancellation.Reason.SHUTDOWN) }
    }

    private suspend fun live(attempt: Attempt) {
        val stop = attempt.cancellation
        var isFree = false
        try {
            currentCoroutineContext().ensureActive()
            if (attempt.isClaimedAhead) starts.begin(listOf(attempt))
            val begin = clock.markNow()
            turnover.begun(attempt.job.jobType())
            var outcome = handle(attempt, attempt.registration)
            val elapsed = begin.elapsedNow()
            turnover.ended(attempt.job.jobType(), elapsed)
            if (stop.stuck != null) {
                report(attempt, checkNotNull(stop.stopped))
                outcome = overtime.await(attempt, outcome)
            }
            running.settle(attempt)
            isFree = true
            freeSlot(attempt)
            val verdict = verdicts.of(attempt, outcome)
            if (verdict == null && !attempt.isSettledByHandler) {
                reporter.unwritten(attempt, stop.stopped)
            } else {
                reporter.ended(attempt, verdict, settler.write(attempt, verdict), elapsed)
            }
        } catch (unexpected: Exception) {
            currentCoroutineContext().ensureActive()
            log.error("Job {} cannot be settled, so its lease expires.", attempt.observed, unexpected)
            reporter.unwritten(attempt, null)
        } finally {
            running.remove(attempt)
            if (isFree) onEnded() else freeSlot(attempt)
        }
    }

    private suspend fun liveTogether(batch: List<Attempt>) = try {
        batches.live(batch) { freeSlot(batch.first().job.jobType()) }
    } finally {
        onEnded()
    }

    /** A handler that is still running keeps its slot until it ends. */
    private fun freeSlot(attempt: Attempt) {
        val jobType = attempt.job.jobType()
        attempt.cancellation.stuck?.invokeOnCompletion { freeSlot(jobType) } ?: freeSlot(jobType)
    }

    /** The next held job gets the slot at once. */
    private fun freeSlot(jobType: String) {
        slots.release(jobType)
        beginHeld()
        onEnded()
    }

    private suspend fun <P : Any> handle(attempt: Attempt, registration: Handlers.Registration<P>): JobOutcome? {
        val prepared = preparation.prepare(attempt, registration)
        val context = prepared.context ?: return prepared.outcome
        val classifier = handlers.classifierOf(registration.type.name())
        return runner.run(
            registration.handler,
            context,
            attempt.cancellation,
            attempt.job.timeout().toKotlinDuration(),
            classifier,
        )
    }

    private fun report(attempt: Attempt, reason: Cancellation.Reason) {
        log.warn("The handler of job {} was asked to stop ({}) and still runs; it keeps its slot.", attempt.observed, reason)
        reporter.stuck(attempt, reason)
    }

    private companion object {
        const val MANY = 50
        val log = LoggerFactory.getLogger(Attempts::class.java)
    }
}

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
import kotlinx.coroutines.isActive
import kotlinx.coroutines.launch
import org.slf4j.LoggerFactory
import kotlin.coroutines.ContinuationInterceptor
import kotlin.coroutines.EmptyCoroutineContext
import kotlin.time.ComparableTimeMark
import kotlin.time.Duration
import kotlin.time.TimeSource
import kotlin.time.toKotlinDuration

/**
 * Runs each claimed job from its claim until its settlement is confirmed.
 *
 * An attempt has no coroutine of its own besides that of its handler: nothing here waits, so each part calls the next one. The
 * claim passes the attempt to the dispatcher of the handlers; there the handler is called; where it ends, its verdict goes to the
 * settler; and the settler calls back.
 */
internal class Attempts(
    private val scope: CoroutineScope,
    private val work: CoroutineScope,
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
    /** The default dispatcher of handlers; null if the service has set another. */
    private val dispatcher = work.coroutineContext[ContinuationInterceptor] as? HandlerDispatcher

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
            held.add(attempts)
            attempts.firstOrNull()?.heldSince?.let { onDeadline(it + HeldJobs.LONGEST) }
            beginHeld()
        } else {
            calls(attempts).forEach { call ->
                slots.take(call.first().job.jobType())
                begin(call)
            }
        }
    }

    /** Starts a [job] whose slot is taken. */
    fun startInSlot(job: ClaimedJob, heldUntil: ComparableTimeMark) = begin(listOf(take(job, heldUntil, isAhead = false)))

    /**
     * Starts a [job] that was leased by its enqueue, and whose slot is taken. On the thread that enqueues, no handler may run.
     */
    @OptIn(DelicateCoroutinesApi::class)
    fun startEnqueued(job: ClaimedJob, heldUntil: ComparableTimeMark) {
        val call = listOf(take(job, heldUntil, isAhead = true))
        if (dispatcher != null) begin(call) else scope.launch(start = CoroutineStart.ATOMIC) { begin(call) }
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

    private fun begin(call: List<Attempt>) = starts.whenRecorded(call) {
        try {
            dispatch(call)
        } catch (unexpected: Throwable) {
            call.forEach { attempt ->
                cannotSettle(attempt, unexpected)
                running.remove(attempt)
            }
            slots.release(call.first().job.jobType())
        }
    }

    /** Continues on a thread of the handlers. */
    @OptIn(DelicateCoroutinesApi::class)
    private fun dispatch(call: List<Attempt>) {
        if (dispatcher != null) return dispatcher.dispatch(EmptyCoroutineContext) { live(call) }
        // A dispatcher of the service may run its blocks on the calling thread. The coroutine without a dispatcher keeps the
        // attempts of that thread from nesting. If the dispatcher rejects the block, the coroutine is cancelled, and starts.
        scope.launch(Dispatchers.Unconfined, CoroutineStart.ATOMIC) {
            work.launch(start = CoroutineStart.ATOMIC) {
                if (!isActive) call.forEach { it.cancellation.request(Cancellation.Reason.SHUTDOWN) }
                live(call)
            }
        }
    }

    private fun live(call: List<Attempt>) {
        if (call.first().registration.batch == null) live(call.first()) else liveTogether(call)
    }

    /** Asks every handler to stop. */
    fun stop() {
        isStopping = true
        running.all.forEach { it.cancellation.request(Cancellation.Reason.SHUTDOWN) }
    }

    private fun live(attempt: Attempt) {
        // A claim may be answered after the worker has ended.
        if (!scope.isActive) return leave(attempt)
        val jobType = attempt.job.jobType()
        val begin = clock.markNow()
        starts.begun(attempt, begin)
        turnover.begun(jobType, begin)
        try {
            handle(attempt, attempt.registration, begin) { outcome ->
                val elapsed = begin.elapsedNow()
                turnover.ended(jobType, elapsed)
                val isStuck = attempt.cancellation.stuck != null
                if (isStuck) awaitStuck(attempt, outcome, elapsed) else ended(attempt, outcome, elapsed)
            }
        } catch (unexpected: Throwable) {
            cannotSettle(attempt, unexpected)
            leave(attempt)
        }
    }

    private fun <P : Any> handle(
        attempt: Attempt,
        registration: Handlers.Registration<P>,
        begin: ComparableTimeMark,
        onEnd: (JobOutcome?) -> Unit,
    ) {
        val prepared = preparation.prepare(attempt, registration, begin)
        val context = prepared.context ?: return onEnd(prepared.outcome)
        val classifier = handlers.classifierOf(registration.type.name())
        val timeout = attempt.job.timeout().toKotlinDuration()
        runner.start(registration.handler, context, attempt.cancellation, timeout, classifier, onEnd)
    }

    /** The handler was asked to stop and still runs. */
    private fun awaitStuck(attempt: Attempt, outcome: JobOutcome?, elapsed: Duration) {
        val reason = checkNotNull(attempt.cancellation.stopped)
        log.warn("The handler of job {} was asked to stop ({}) and still runs; it keeps its slot.", attempt.observed, reason)
        reporter.stuck(attempt, reason)
        awaitOvertime(attempt, outcome, elapsed)
    }

    // An atomic start frees the slot even if the worker has ended meanwhile.
    @OptIn(DelicateCoroutinesApi::class)
    private fun awaitOvertime(attempt: Attempt, outcome: JobOutcome?, elapsed: Duration) {
        scope.launch(start = CoroutineStart.ATOMIC) {
            var last = outcome
            try {
                last = overtime.await(attempt, outcome)
            } finally {
                ended(attempt, last, elapsed)
            }
        }
    }

    /** The handler has ended, or the worker does not wait for it any longer. */
    private fun ended(attempt: Attempt, outcome: JobOutcome?, elapsed: Duration) {
        running.settle(attempt)
        try {
            freeSlot(attempt)
            val verdict = verdicts.of(attempt, outcome)
            if (verdict == null && !attempt.isSettledByHandler) {
                reporter.unwritten(attempt, attempt.cancellation.stopped)
                over(attempt)
            } else {
                settler.write(attempt, verdict) { settled ->
                    try {
                        reporter.ended(attempt, verdict, settled, elapsed)
                    } finally {
                        over(attempt)
                    }
                }
            }
        } catch (unexpected: Throwable) {
            cannotSettle(attempt, unexpected)
            over(attempt)
        }
    }

    private fun over(attempt: Attempt) {
        running.remove(attempt)
        onEnded()
    }

    /** The attempt is not settled, and its lease expires. */
    private fun leave(attempt: Attempt) {
        running.remove(attempt)
        freeSlot(attempt)
    }

    // Also after an Error, for example of a full heap: otherwise the worker would renew the lease of a job that it does not run.
    private fun cannotSettle(attempt: Attempt, unexpected: Throwable) {
        log.error("Job {} cannot be settled, so its lease expires.", attempt.observed, unexpected)
        reporter.unwritten(attempt, null)
    }

    // A claim may be answered after the worker has ended. An atomic start runs the cleanup even then.
    @OptIn(DelicateCoroutinesApi::class)
    private fun liveTogether(batch: List<Attempt>) {
        scope.launch(Dispatchers.Unconfined, CoroutineStart.ATOMIC) {
            try {
                batches.live(batch) { freeSlot(batch.first().job.jobType()) }
            } finally {
                onEnded()
            }
        }
    }

    /** A handler that is still running keeps its slot until it ends. */
    private fun freeSlot(attempt: Attempt) {
        if (attempt.isSlotFreed) return
        attempt.isSlotFreed = true
        val jobType = attempt.job.jobType()
        attempt.cancellation.stuck?.invokeOnCompletion { freeSlot(jobType) } ?: freeSlot(jobType)
    }

    /** The next held job gets the slot at once. */
    fun freeSlot(jobType: String) {
        slots.release(jobType)
        beginHeld()
        onEnded()
    }

    private companion object {
        val log = LoggerFactory.getLogger(Attempts::class.java)
    }
}

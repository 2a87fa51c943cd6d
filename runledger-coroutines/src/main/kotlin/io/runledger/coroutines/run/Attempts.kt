package io.runledger.coroutines.run

import io.runledger.coroutines.Handlers
import io.runledger.coroutines.StepMachine
import io.runledger.coroutines.attempt.Attempt
import io.runledger.coroutines.attempt.RunningJobs
import io.runledger.coroutines.claim.HeldJobs
import io.runledger.coroutines.claim.Slots
import io.runledger.coroutines.claim.Turnover
import io.runledger.coroutines.lease.StartRecorder
import io.runledger.coroutines.port.AttemptLedger
import io.runledger.coroutines.settle.Settler
import io.runledger.coroutines.settle.Verdicts
import io.runledger.coroutines.watch.AttemptReporter
import io.runledger.model.error.ErrorCode
import io.runledger.model.handler.Cancellation
import io.runledger.model.handler.JobOutcome
import io.runledger.model.json.Json
import io.runledger.model.lease.ClaimedJob
import kotlinx.coroutines.CoroutineScope
import kotlinx.coroutines.CoroutineStart
import kotlinx.coroutines.DelicateCoroutinesApi
import kotlinx.coroutines.Dispatchers
import kotlinx.coroutines.currentCoroutineContext
import kotlinx.coroutines.ensureActive
import kotlinx.coroutines.launch
import kotlinx.coroutines.withContext
import org.slf4j.LoggerFactory
import kotlin.coroutines.ContinuationInterceptor
import kotlin.coroutines.CoroutineContext
import kotlin.coroutines.EmptyCoroutineContext
import kotlin.time.ComparableTimeMark
import kotlin.time.Duration
import kotlin.time.TimeSource
import kotlin.time.toKotlinDuration

/** Runs each claimed job from its claim until its settlement is confirmed. */
internal class Attempts(
    private val scope: CoroutineScope,
    private val handlers: Handlers,
    private val ledger: AttemptLedger,
    private val runner: JobRunner,
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
    private val elsewhere =
        checkNotNull(scope.coroutineContext[ContinuationInterceptor]) { "The scope of attempts has no dispatcher." }

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
        } else if (attempts.size < MANY) {
            attempts.forEach(::begin)
        } else {
            launchAtomically { attempts.forEach(::begin) }
        }
    }

    /** Starts held jobs while there are free slots. */
    fun beginHeld() {
        while (true) begin(held.next() ?: return)
    }

    private fun take(job: ClaimedJob, heldUntil: ComparableTimeMark, isAhead: Boolean): Attempt {
        val registration = checkNotNull(handlers.of(job.jobType())) { "The worker has no handler for '${job.jobType()}'." }
        val attempt = Attempt(job, registration, heldUntil, ledger.schema, isAhead)
        if (!isAhead) slots.take(job.jobType())
        running.add(attempt)
        if (isStopping) attempt.cancellation.request(Cancellation.Reason.SHUTDOWN)
        reporter.claimed(attempt)
        return attempt
    }

    // Nothing here blocks, so each thread that reports progress also runs the next step of the attempt: the claim starts the
    // handler, the handler's thread calls the settler, the settler calls the reporter. No thread needs to be woken in between.
    private fun begin(attempt: Attempt) {
        launchAtomically(Dispatchers.Unconfined) { live(attempt) }
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
            if (attempt.isClaimedAhead) starts.begin(attempt)
            val begin = clock.markNow()
            turnover.begun(attempt.job.jobType())
            var outcome = handle(attempt, attempt.registration)
            val elapsed = begin.elapsedNow()
            turnover.ended(attempt.job.jobType(), elapsed)
            if (stop.stuck != null) {
                report(attempt, checkNotNull(stop.stopped))
                outcome = overtime.await(attempt, outcome)
            }
            attempt.isSettling = true
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

    /** A handler that is still running keeps its slot until it ends. The next held job gets the slot at once. */
    private fun freeSlot(attempt: Attempt) {
        fun free() {
            slots.release(attempt.job.jobType())
            beginHeld()
            onEnded()
        }
        attempt.cancellation.stuck?.invokeOnCompletion { free() } ?: free()
    }

    private suspend fun <P : Any> handle(attempt: Attempt, registration: Handlers.Registration<P>): JobOutcome? {
        // The job was canceled or lost while it waited for its slot.
        attempt.cancellation.reason().orElse(null)?.let { reason ->
            attempt.cancellation.stopped = reason
            return null
        }
        val payload = try {
            decoded(attempt.job.payload(), registration).also { attempt.step = registration.stepOf(it) }
        } catch (undecodable: Throwable) {
            currentCoroutineContext().ensureActive()
            log.warn("The payload of job {} cannot be decoded: {}", attempt.observed, undecodable.javaClass.name)
            return undecodable(registration)
        }
        val timeout = attempt.job.timeout().toKotlinDuration()
        val deadline = clock.markNow() + timeout
        attempt.deadline = deadline
        onDeadline(deadline)
        val context = AttemptContext(attempt, payload, ledger, deadline)
        reporter.started(attempt)
        val classifier = handlers.classifierOf(registration.type.name())
        return runner.run(registration.handler, context, attempt.cancellation, timeout, classifier)
    }

    /** A large payload is decoded on another thread, so that it does not delay the claim loop. */
    private suspend fun <P : Any> decoded(payload: Json, registration: Handlers.Registration<P>): P {
        @Suppress("UNCHECKED_CAST")
        fun decode() = ledger.codec.decode(payload, registration.type.payloadType()) as P
        return if (payload.text().length <= LARGE) decode() else withContext(elsewhere) { decode() }
    }

    /** The JSON value `null` is not a step. */
    private fun <P : Any> Handlers.Registration<P>.stepOf(payload: P?): P? =
        if (machine == null) null else requireNotNull(payload)

    // The decoder's message may quote the payload, so it is neither stored nor logged.
    private fun undecodable(registration: Handlers.Registration<*>): JobOutcome = JobOutcome.failed(
        ErrorCode.INVALID_PAYLOAD.wire(),
        "The payload cannot be decoded as ${registration.type.payloadType().typeName}: correct the payload and requeue the job." +
            registration.machine?.let { " Its steps are ${stepsOf(it)}." }.orEmpty(),
    )

    private fun stepsOf(machine: StepMachine<*>) = machine.stepClasses.map(ledger.codec::nameOf).sorted().joinToString()

    private fun report(attempt: Attempt, reason: Cancellation.Reason) {
        log.warn("The handler of job {} was asked to stop ({}) and still runs; it keeps its slot.", attempt.observed, reason)
        reporter.stuck(attempt, reason)
    }

    private companion object {
        const val MANY = 50
        const val LARGE = 10_000
        val log = LoggerFactory.getLogger(Attempts::class.java)
    }
}

package io.runledger.coroutines.run

import io.runledger.coroutines.Handlers
import io.runledger.coroutines.StepMachine
import io.runledger.coroutines.loop.Settler
import io.runledger.coroutines.loop.Slots
import io.runledger.coroutines.store.AttemptLedger
import io.runledger.coroutines.watch.Bookkeeper
import io.runledger.model.error.ErrorCode
import io.runledger.model.json.Json
import io.runledger.model.run.Cancellation
import io.runledger.model.run.JobOutcome
import io.runledger.model.state.ClaimedJob
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

/** Takes each claimed job from its claim to its confirmed ending. */
internal class Attempts(
    private val scope: CoroutineScope,
    private val handlers: Handlers,
    private val ledger: AttemptLedger,
    private val runner: JobRunner,
    private val overtime: Overtime,
    private val verdicts: Verdicts,
    private val settler: Settler,
    private val slots: Slots,
    private val running: RunningJobs,
    private val books: Bookkeeper,
    private val clock: TimeSource.WithComparableMarks,
    private val onDeadline: (ComparableTimeMark) -> Unit,
    private val onFreeSlot: () -> Unit,
) {
    private val elsewhere =
        checkNotNull(scope.coroutineContext[ContinuationInterceptor]) { "The scope of attempts has no dispatcher." }

    @Volatile
    private var isStopping = false

    /**
     * Starts [jobs], whose leases are held until [heldUntil] at least. Once [stop] was called they are given back instead.
     * Once the [scope] is cancelled they are left alone, and their leases run out.
     */
    fun start(jobs: List<ClaimedJob>, heldUntil: ComparableTimeMark) {
        val attempts = jobs.map { take(it, heldUntil) }
        // Many are started elsewhere, so that the next claim is under way meanwhile.
        if (attempts.size < MANY) attempts.forEach(::begin) else launchAtomically { attempts.forEach(::begin) }
    }

    private fun take(job: ClaimedJob, heldUntil: ComparableTimeMark): Attempt {
        val registration = checkNotNull(handlers.of(job.jobType())) { "No handler for '${job.jobType()}' was claimed for." }
        val attempt = Attempt(job, registration, heldUntil, ledger.schema)
        slots.take(job.jobType())
        running.add(attempt)
        if (isStopping) attempt.cancellation.request(Cancellation.Reason.SHUTDOWN)
        books.claimed(attempt)
        return attempt
    }

    // Nothing here blocks, so whoever brings news takes the attempt a step further: the claim starts its handler, the
    // handler's thread hands its ending to the settler, the settler closes the books. No thread is woken for any of it.
    private fun begin(attempt: Attempt) {
        launchAtomically(Dispatchers.Unconfined) { live(attempt) }
    }

    // A claim may be answered when the worker has ended: what was taken is given up also then.
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
        var result: RunResult? = null
        try {
            currentCoroutineContext().ensureActive()
            val begin = clock.markNow()
            result = handle(attempt, attempt.registration)
            val elapsed = begin.elapsedNow()
            result.stopped?.takeIf { result.stuck != null }?.let { report(attempt, it) }
            result = overtime.await(attempt, result)
            attempt.isEnding = true
            when (val ending = verdicts.endingOf(attempt, result)) {
                null -> books.unwritten(attempt, result.stopped)
                else -> books.ended(attempt, ending, settler.write(attempt, ending), elapsed)
            }
        } catch (unexpected: Exception) {
            currentCoroutineContext().ensureActive()
            log.error("Nothing can be written about job {}; its lease runs out.", attempt.observed, unexpected)
            books.unwritten(attempt, null)
        } finally {
            running.remove(attempt)
            val free = { slots.giveUp(attempt.job.jobType()).also { onFreeSlot() } }
            // A handler that goes on keeps its place until it ends.
            result?.stuck?.invokeOnCompletion { free() } ?: free()
        }
    }

    private suspend fun <P : Any> handle(attempt: Attempt, registration: Handlers.Registration<P>): RunResult {
        val payload = try {
            decoded(attempt.job.payload(), registration).also { attempt.step = registration.stepOf(it) }
        } catch (undecodable: Throwable) {
            currentCoroutineContext().ensureActive()
            log.warn("The payload of job {} cannot be decoded: {}", attempt.observed, undecodable.javaClass.name)
            return RunResult(undecodable(registration), null, null)
        }
        val timeout = attempt.job.timeout().toKotlinDuration()
        val deadline = clock.markNow() + timeout
        attempt.deadline = deadline
        onDeadline(deadline)
        val context = AttemptContext(attempt, payload, ledger, deadline)
        books.started(attempt)
        val classifier = handlers.classifierOf(registration.type.name())
        return runner.run(registration.handler, context, attempt.cancellation, timeout, classifier)
    }

    /** A large payload is decoded elsewhere, so that it does not hold up the claim that brought it. */
    private suspend fun <P : Any> decoded(payload: Json, registration: Handlers.Registration<P>): P {
        @Suppress("UNCHECKED_CAST")
        fun decode() = ledger.codec.decode(payload, registration.type.payloadType()) as P
        return if (payload.text().length <= LARGE) decode() else withContext(elsewhere) { decode() }
    }

    /** JSON's `null` is no step. */
    private fun <P : Any> Handlers.Registration<P>.stepOf(payload: P?): P? =
        if (machine == null) null else requireNotNull(payload)

    // The decoder's own words may quote the payload, so they are neither stored nor logged.
    private fun undecodable(registration: Handlers.Registration<*>): JobOutcome = JobOutcome.failed(
        ErrorCode.INVALID_PAYLOAD.wire(),
        "The payload cannot be decoded as ${registration.type.payloadType().typeName}: mend the payload and requeue the job." +
            registration.machine?.let { " Its steps are ${stepsOf(it)}." }.orEmpty(),
    )

    private fun stepsOf(machine: StepMachine<*>) = machine.stepClasses.map(ledger.codec::nameOf).sorted().joinToString()

    private fun report(attempt: Attempt, reason: Cancellation.Reason) {
        log.warn("The handler of job {} was asked to stop ({}) and goes on; its place stays taken.", attempt.observed, reason)
        books.stuck(attempt, reason)
    }

    private companion object {
        const val MANY = 50
        const val LARGE = 10_000
        val log = LoggerFactory.getLogger(Attempts::class.java)
    }
}

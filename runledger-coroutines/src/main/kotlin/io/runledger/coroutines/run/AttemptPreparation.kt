package io.runledger.coroutines.run

import io.runledger.coroutines.Handlers
import io.runledger.coroutines.StepMachine
import io.runledger.coroutines.attempt.Attempt
import io.runledger.coroutines.port.AttemptLedger
import io.runledger.coroutines.watch.AttemptReporter
import io.runledger.model.error.ErrorCode
import io.runledger.model.handler.JobContext
import io.runledger.model.handler.JobOutcome
import io.runledger.model.json.Json
import kotlinx.coroutines.currentCoroutineContext
import kotlinx.coroutines.ensureActive
import kotlinx.coroutines.withContext
import org.slf4j.LoggerFactory
import kotlin.coroutines.CoroutineContext
import kotlin.time.ComparableTimeMark
import kotlin.time.TimeSource
import kotlin.time.toKotlinDuration

/** Decodes the payloads of attempts and starts their timeouts, just before their handler is called. */
internal class AttemptPreparation(
    private val ledger: AttemptLedger,
    private val reporter: AttemptReporter,
    private val clock: TimeSource.WithComparableMarks,
    private val elsewhere: CoroutineContext,
    private val onDeadline: (ComparableTimeMark) -> Unit,
) {
    /**
     * An attempt with its [context]; if that is null, the attempt has ended with this [outcome] before its handler was called.
     */
    class Prepared<P>(val attempt: Attempt, val context: JobContext<P>?, val outcome: JobOutcome? = null)

    suspend fun <P : Any> prepare(attempt: Attempt, registration: Handlers.Registration<P>): Prepared<P> {
        // The job was canceled or lost while it waited for its slot.
        attempt.cancellation.reason().orElse(null)?.let { reason ->
            attempt.cancellation.stopped = reason
            return Prepared(attempt, null)
        }
        val payload = try {
            decoded(attempt.job.payload(), registration).also { attempt.step = registration.stepOf(it) }
        } catch (undecodable: Throwable) {
            currentCoroutineContext().ensureActive()
            log.warn("The payload of job {} cannot be decoded: {}", attempt.observed, undecodable.javaClass.name)
            return Prepared(attempt, null, undecodable(registration))
        }
        val deadline = clock.markNow() + attempt.job.timeout().toKotlinDuration()
        attempt.deadline = deadline
        onDeadline(deadline)
        reporter.started(attempt)
        return Prepared(attempt, AttemptContext(attempt, payload, ledger, deadline))
    }

    /** Prepares the attempts of a batch, on another thread if their payloads are large together. */
    suspend fun <P : Any> prepareAll(attempts: List<Attempt>, registration: Handlers.Registration<P>): List<Prepared<P>> =
        if (attempts.sumOf { it.job.payload().text().length } <= LARGE) {
            attempts.map { prepare(it, registration) }
        } else {
            withContext(elsewhere) { attempts.map { prepare(it, registration) } }
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

    private companion object {
        const val LARGE = 10_000
        val log = LoggerFactory.getLogger(AttemptPreparation::class.java)
    }
}

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
import org.slf4j.LoggerFactory
import kotlin.time.ComparableTimeMark
import kotlin.time.toKotlinDuration

/** Decodes the payloads of attempts and starts their timeouts, just before their handler is called and on its thread. */
internal class AttemptPreparation(
    private val ledger: AttemptLedger,
    private val reporter: AttemptReporter,
    private val onDeadline: (ComparableTimeMark) -> Unit,
) {
    /**
     * An attempt with its [context]; if that is null, the attempt has ended with this [outcome] before its handler was called.
     */
    class Prepared<P>(val attempt: Attempt, val context: JobContext<P>?, val outcome: JobOutcome? = null)

    /** The handler begins [now]. */
    fun <P : Any> prepare(attempt: Attempt, registration: Handlers.Registration<P>, now: ComparableTimeMark): Prepared<P> {
        // The job was canceled or lost while it waited for its slot.
        attempt.cancellation.requested?.let { reason ->
            attempt.cancellation.stopped = reason
            return Prepared(attempt, null)
        }
        val payload = try {
            decoded(attempt.job.payload(), registration).also { attempt.step = registration.stepOf(it) }
        } catch (undecodable: Throwable) {
            log.warn("The payload of job {} cannot be decoded: {}", attempt.observed, undecodable.javaClass.name)
            return Prepared(attempt, null, undecodable(registration))
        }
        val deadline = now + attempt.job.timeout().toKotlinDuration()
        attempt.deadline = deadline
        onDeadline(deadline)
        reporter.started(attempt)
        return Prepared(attempt, AttemptContext(attempt, payload, ledger, deadline))
    }

    @Suppress("UNCHECKED_CAST")
    private fun <P : Any> decoded(payload: Json, registration: Handlers.Registration<P>): P =
        ledger.codec.decode(payload, registration.type.payloadType()) as P

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
        val log = LoggerFactory.getLogger(AttemptPreparation::class.java)
    }
}

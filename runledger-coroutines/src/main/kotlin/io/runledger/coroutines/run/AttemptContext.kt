package io.runledger.coroutines.run

import io.runledger.coroutines.attempt.Attempt
import io.runledger.coroutines.encoded
import io.runledger.coroutines.port.AttemptLedger
import io.runledger.coroutines.read
import io.runledger.model.error.ErrorCode
import io.runledger.model.error.InvalidRequestException
import io.runledger.model.error.LeaseLostException
import io.runledger.model.handler.Cancellation
import io.runledger.model.handler.JobContext
import io.runledger.model.handler.JobOutcome
import io.runledger.model.handler.LogLevel
import io.runledger.model.job.JobStage
import io.runledger.model.job.Progress
import io.runledger.model.json.Json
import io.runledger.model.json.Payload
import io.runledger.model.lease.LogRequest
import io.runledger.model.lease.ProgressReport
import io.runledger.model.workflow.Input
import java.lang.reflect.Type
import java.sql.Connection
import java.time.Duration
import java.time.Instant
import java.util.Optional
import java.util.UUID
import java.util.concurrent.locks.ReentrantLock
import kotlin.time.ComparableTimeMark
import kotlin.time.toJavaDuration

/** The context that a handler receives for its attempt. */
internal class AttemptContext<P>(
    private val attempt: Attempt,
    private val payload: P,
    private val ledger: AttemptLedger,
    private val deadline: ComparableTimeMark,
) : JobContext<P> {
    private val lease get() = attempt.lease

    private val reading = ReentrantLock()

    // Read once: the prerequisites ended before this job started and do not change while it runs.
    @Volatile
    private var read: Prerequisites? = null

    // Not lazy, which holds a monitor: before JDK 24, a monitor pins the carrier of a virtual thread that waits.
    private val prerequisites: Prerequisites get() = read ?: readOnce()

    @Volatile
    private var checkpoint: Json? = attempt.job.checkpoint()

    override fun jobId(): UUID = lease.jobId()
    override fun jobType(): String = attempt.job.jobType()
    override fun organizationId(): UUID? = attempt.job.organizationId()
    override fun runNumber(): Int = lease.runNumber()
    override fun attempt(): Int = lease.attempt()
    override fun maxAttempts(): Int = attempt.job.maxAttempts()
    override fun workerId(): String = lease.workerId()
    override fun claimedAt(): Instant = attempt.job.leasedAt()
    override fun startedAt(): Instant = attempt.job.startedAt()
    override fun payload(): P = payload
    override fun headers(): Map<String, String> = attempt.job.headers()
    override fun cancellation(): Cancellation = attempt.cancellation
    override fun remaining(): Duration = (-deadline.elapsedNow()).toJavaDuration().coerceAtLeast(Duration.ZERO)

    override fun <T : Any> checkpoint(type: Type): Optional<T> =
        Optional.ofNullable(checkpoint?.let { ledger.codec.read(it, type, ErrorCode.INVALID_CHECKPOINT) })

    override fun progress(done: Long, total: Long) = report(ProgressReport(lease, Progress.of(done, total), null, null))

    override fun stage(stage: JobStage) = report(ProgressReport(lease, Progress.NONE, stage, null))

    override fun saveCheckpoint(checkpoint: Any?) {
        val json = Payload.of(checkpoint).encode(ledger.codec, ErrorCode.INVALID_CHECKPOINT)
        report(ProgressReport(lease, Progress.NONE, null, Payload.of(json)))
        this.checkpoint = json
    }

    override fun log(level: LogLevel, message: String) = ledger.log(LogRequest.of(lease, level, message))

    override fun <T : Any> input(input: Input<T>): T = prerequisites.input(input)

    override fun <T : Any> inputs(input: Input<T>): List<T> = prerequisites.inputs(input)

    override fun <T : Any> output(stepKey: String, type: Type): Optional<T> =
        Optional.ofNullable(prerequisites.output(stepKey, type))

    override fun <T : Any> runContext(name: String, type: Type): Optional<T> = Optional.ofNullable(
        ledger.runContext(attempt.job, name)?.let { ledger.codec.read(it, type, ErrorCode.INVALID_CONTEXT) },
    )

    override fun settleIn(connection: Connection) = succeedIn(connection, JobOutcome.succeeded())

    override fun settleIn(connection: Connection, output: Any?) = when (output) {
        is JobOutcome.Succeeded -> succeedIn(connection, output)

        is JobOutcome -> throw InvalidRequestException(
            ErrorCode.INVALID_ARGUMENT,
            "settleIn writes a success, and ${output.kind()} is not one: roll back and return it instead.",
        )

        else -> succeedIn(connection, JobOutcome.succeeded(output))
    }

    private fun succeedIn(connection: Connection, success: JobOutcome.Succeeded) {
        val encoded = success.encoded(ledger.codec)
        attempt.cancellation.throwIfRequested()
        val earlier = attempt.isSettledByHandler
        attempt.isSettledByHandler = true
        try {
            stoppingWhenLost { ledger.succeedIn(connection, lease, encoded) }
        } catch (refused: Throwable) {
            attempt.isSettledByHandler = earlier
            throw refused
        }
    }

    private fun readOnce(): Prerequisites {
        reading.lockInterruptibly()
        return try {
            read ?: Prerequisites.of(attempt.job, ledger).also { read = it }
        } finally {
            reading.unlock()
        }
    }

    private fun report(report: ProgressReport) = stoppingWhenLost { ledger.report(report) }

    /** A lost lease stops the attempt, even if the handler catches the exception. */
    private inline fun stoppingWhenLost(write: () -> Unit) = try {
        write()
    } catch (lost: LeaseLostException) {
        attempt.cancellation.request(Cancellation.Reason.LEASE_LOST)
        throw lost
    }
}

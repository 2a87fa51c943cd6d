package io.runledger.coroutines.run

import io.runledger.model.handler.Cancellation
import io.runledger.model.handler.JobContext
import io.runledger.model.handler.LogLevel
import io.runledger.model.job.JobStage
import io.runledger.model.value.UuidV7
import io.runledger.model.workflow.Input
import java.lang.reflect.Type
import java.sql.Connection
import java.time.Duration
import java.time.Instant
import java.util.Optional
import java.util.UUID

/** A first attempt of a job without a ledger. Calls that would write to a ledger are refused. */
class FixedJob<P>(private val payload: P) : JobContext<P> {
    private val id = UuidV7.next()

    override fun jobId(): UUID = id
    override fun jobType(): String = "greet"
    override fun organizationId(): UUID? = null
    override fun runNumber(): Int = 1
    override fun attempt(): Int = 1
    override fun maxAttempts(): Int = 1
    override fun workerId(): String = "test"
    override fun claimedAt(): Instant = Instant.EPOCH
    override fun startedAt(): Instant = Instant.EPOCH
    override fun payload(): P = payload
    override fun headers(): Map<String, String> = emptyMap()
    override fun <T : Any> checkpoint(type: Type): Optional<T> = Optional.empty()
    override fun progress(done: Long, total: Long) = noLedger()
    override fun stage(stage: JobStage) = noLedger()
    override fun saveCheckpoint(checkpoint: Any?) = noLedger()
    override fun log(level: LogLevel, message: String) = noLedger()
    override fun remaining(): Duration = Duration.ofMinutes(1)
    override fun cancellation(): Cancellation = noLedger()
    override fun <T : Any> input(input: Input<T>): T = noLedger()
    override fun <T : Any> inputs(input: Input<T>): List<T> = noLedger()
    override fun <T : Any> output(stepKey: String, type: Type): Optional<T> = noLedger()
    override fun <T : Any> runContext(name: String, type: Type): Optional<T> = noLedger()

    override fun settleIn(connection: Connection) = noLedger()
    override fun settleIn(connection: Connection, output: Any?) = noLedger()

    private fun noLedger(): Nothing = throw UnsupportedOperationException("There is no ledger behind this job.")
}

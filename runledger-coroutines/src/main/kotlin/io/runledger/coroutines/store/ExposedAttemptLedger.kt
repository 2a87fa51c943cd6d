package io.runledger.coroutines.store

import io.runledger.exposed.RunledgerClient
import io.runledger.model.error.ConflictException
import io.runledger.model.error.ErrorCode
import io.runledger.model.error.LeaseLostException
import io.runledger.model.json.Json
import io.runledger.model.json.PayloadCodec
import io.runledger.model.policy.Verdict
import io.runledger.model.run.JobOutcome
import io.runledger.model.run.LogRequest
import io.runledger.model.spec.ProgressReport
import io.runledger.model.spec.SettleRequest
import io.runledger.model.state.ClaimedJob
import io.runledger.model.state.Lease
import io.runledger.model.state.SettledJob
import io.runledger.model.state.StepOutput
import java.sql.Connection
import java.util.concurrent.Semaphore

/** The handlers' way to the ledger: at most four of them use a connection at a time, the others wait their turn. */
internal class ExposedAttemptLedger(private val client: RunledgerClient, private val process: Calls = Calls()) : AttemptLedger {
    private val turns = Semaphore(Calls.OF_HANDLERS, true)

    override val schema: String get() = client.schema

    override val codec: PayloadCodec get() = client.codec

    override fun report(report: ProgressReport) = inTurn { client.leases.report(report) }

    override fun log(line: LogRequest) {
        inTurn { client.logs.append(line) }
    }

    override fun succeedIn(connection: Connection, lease: Lease, success: JobOutcome.Succeeded) {
        val request = SettleRequest.of(lease, Verdict.Succeed(success.output(), success.contributions()))
        val settled = client.within(connection).leases.settle(listOf(request)).single()
        when (settled.result()) {
            SettledJob.Result.SUCCEEDED -> Unit

            SettledJob.Result.BUSY -> throw ConflictException(
                ErrorCode.RELEASE_CONFLICT,
                "${ErrorCode.RELEASE_CONFLICT.message()} Roll the transaction back and try again.",
            )

            // What the transaction holds now is the dead letter: the exception says why, so that it is rolled back.
            SettledJob.Result.DEAD_LETTERED -> throw checkNotNull(settled.refusal()) { "A success became a dead letter." }

            else -> throw LeaseLostException(
                ErrorCode.JOB_LEASE_LOST,
                "${ErrorCode.JOB_LEASE_LOST.message()} Roll the transaction back: its effects are not this attempt's to make.",
            )
        }
    }

    override fun outputs(job: ClaimedJob): List<StepOutput> = inTurn { client.workflows.prerequisites(job.lease().jobId()) }

    override fun runContext(job: ClaimedJob, name: String): Json? =
        inTurn { client.workflows.runContext(job.lease().jobId(), name) }

    private fun <T> inTurn(work: () -> T): T = turns.holding { process.handlers.holding(work) }

    private fun <T> Semaphore.holding(work: () -> T): T {
        acquire()
        return try {
            work()
        } finally {
            release()
        }
    }
}

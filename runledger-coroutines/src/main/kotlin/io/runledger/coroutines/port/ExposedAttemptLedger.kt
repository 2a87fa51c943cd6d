package io.runledger.coroutines.port

import io.runledger.exposed.RunledgerClient
import io.runledger.exposed.worker.WorkerApi
import io.runledger.exposed.worker.WorkerLedger
import io.runledger.model.error.ConflictException
import io.runledger.model.error.ErrorCode
import io.runledger.model.error.LeaseLostException
import io.runledger.model.handler.JobOutcome
import io.runledger.model.job.Lease
import io.runledger.model.json.Json
import io.runledger.model.json.PayloadCodec
import io.runledger.model.lease.ClaimedJob
import io.runledger.model.lease.LogRequest
import io.runledger.model.lease.ProgressReport
import io.runledger.model.lease.SettledJob
import io.runledger.model.lease.Verdict
import io.runledger.model.run.StepOutput
import java.sql.Connection
import java.util.concurrent.Semaphore

/** The calls of handlers to the ledger. At most four of them use a connection at a time; the others wait. */
@OptIn(WorkerApi::class)
internal class ExposedAttemptLedger(private val client: RunledgerClient, private val process: Calls = Calls()) : AttemptLedger {
    private val ledger = WorkerLedger.of(client)
    private val logs = client.inOwnTransactions().logs
    private val turns = Semaphore(Calls.OF_HANDLERS, true)

    override val schema: String get() = client.schema

    override val codec: PayloadCodec get() = client.codec

    override fun report(report: ProgressReport) = inTurn { ledger.leases.report(report) }

    override fun log(line: LogRequest) {
        inTurn { logs.append(line) }
    }

    override fun succeedIn(connection: Connection, lease: Lease, success: JobOutcome.Succeeded) {
        val verdict = Verdict.Succeed(success.output(), success.contributions())
        val settled = WorkerLedger.of(client.within(connection)).leases.settle(mapOf(lease to verdict)).single()
        when (settled.result()) {
            SettledJob.Result.SUCCEEDED -> Unit

            SettledJob.Result.BUSY -> throw ConflictException(
                ErrorCode.RELEASE_CONFLICT,
                "${ErrorCode.RELEASE_CONFLICT.message()} Roll the transaction back and try again.",
            )

            // The transaction now contains the dead letter. The exception gives the reason and makes the caller roll back.
            SettledJob.Result.DEAD_LETTERED -> throw checkNotNull(settled.refusal()) { "A success became a dead letter." }

            else -> throw LeaseLostException(
                ErrorCode.JOB_LEASE_LOST,
                "${ErrorCode.JOB_LEASE_LOST.message()} Roll the transaction back: another attempt may repeat its effects.",
            )
        }
    }

    override fun outputs(job: ClaimedJob): List<StepOutput> = inTurn { ledger.stepInputs.prerequisites(job.lease().jobId()) }

    override fun runContext(job: ClaimedJob, name: String): Json? =
        inTurn { ledger.stepInputs.runContext(job.lease().jobId(), name) }

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

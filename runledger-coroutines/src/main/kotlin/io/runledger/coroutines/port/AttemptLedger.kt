package io.runledger.coroutines.port

import io.runledger.model.handler.JobOutcome
import io.runledger.model.job.Lease
import io.runledger.model.json.Json
import io.runledger.model.json.PayloadCodec
import io.runledger.model.lease.ClaimedJob
import io.runledger.model.lease.LogRequest
import io.runledger.model.lease.ProgressReport
import io.runledger.model.run.StepOutput
import java.sql.Connection

/** The ledger operations that a running handler uses through its context. Blocks. */
internal interface AttemptLedger {
    /** The schema of the ledger. */
    val schema: String

    val codec: PayloadCodec

    /** Writes [report]; throws if the lease is lost. */
    fun report(report: ProgressReport)

    fun log(line: LogRequest)

    /** Writes [success] in the caller's transaction; throws if the lease is lost or the run's context rejects it. */
    fun succeedIn(connection: Connection, lease: Lease, success: JobOutcome.Succeeded)

    /** The outputs of the prerequisites of [job]'s step. */
    fun outputs(job: ClaimedJob): List<StepOutput>

    /** The current value of [name] in the context of [job]'s run; null if there is none. */
    fun runContext(job: ClaimedJob, name: String): Json?
}

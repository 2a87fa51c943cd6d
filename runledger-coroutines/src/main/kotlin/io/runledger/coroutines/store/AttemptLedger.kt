package io.runledger.coroutines.store

import io.runledger.model.json.Json
import io.runledger.model.json.PayloadCodec
import io.runledger.model.run.JobOutcome
import io.runledger.model.run.LogRequest
import io.runledger.model.spec.ProgressReport
import io.runledger.model.state.ClaimedJob
import io.runledger.model.state.Lease
import io.runledger.model.state.StepOutput
import java.sql.Connection

/** The ledger as a running handler sees it, through its context. Blocks. */
internal interface AttemptLedger {
    /** The schema it lives in. */
    val schema: String

    val codec: PayloadCodec

    /** Writes [report]; throws when the lease is lost. */
    fun report(report: ProgressReport)

    fun log(line: LogRequest)

    /** Writes [success] into the caller's transaction; throws when the lease is lost or the run's context refuses it. */
    fun succeedIn(connection: Connection, lease: Lease, success: JobOutcome.Succeeded)

    /** What the prerequisites of [job]'s step left behind. */
    fun outputs(job: ClaimedJob): List<StepOutput>

    /** The value [name] in the context of [job]'s run as it stands; null when there is none. */
    fun runContext(job: ClaimedJob, name: String): Json?
}

package io.runledger.coroutines

import io.runledger.coroutines.port.AttemptLedger
import io.runledger.exposed.json.JacksonCodec
import io.runledger.model.handler.JobOutcome
import io.runledger.model.job.Lease
import io.runledger.model.json.Json
import io.runledger.model.json.PayloadCodec
import io.runledger.model.lease.ClaimedJob
import io.runledger.model.lease.LogRequest
import io.runledger.model.lease.ProgressReport
import io.runledger.model.run.StepOutput
import java.sql.Connection

/** For handlers that do not call their ledger. */
internal object NoLedger : AttemptLedger {
    override val schema: String = "none"
    override val codec: PayloadCodec = JacksonCodec()
    override fun report(report: ProgressReport) = unsupported()
    override fun log(line: LogRequest) = unsupported()
    override fun succeedIn(connection: Connection, lease: Lease, success: JobOutcome.Succeeded) = unsupported()
    override fun outputs(job: ClaimedJob): List<StepOutput> = unsupported()
    override fun runContext(job: ClaimedJob, name: String): Json? = unsupported()

    private fun unsupported(): Nothing = throw UnsupportedOperationException("There is no ledger here.")
}

package io.runledger.exposed.control

import io.runledger.exposed.context.LedgerContext
import io.runledger.exposed.context.ValueKind
import io.runledger.exposed.context.encoded
import io.runledger.exposed.context.requireDistinct
import io.runledger.exposed.sql.exception
import io.runledger.exposed.sql.rows
import io.runledger.exposed.sql.uuid
import io.runledger.model.error.ErrorCode
import io.runledger.model.lease.ProgressReport
import io.runledger.model.lease.ReportedProgress
import io.runledger.model.lease.ReportedProgress.Result

/** Writes the progress reports of running attempts with one statement. */
internal class ReportProgress(private val context: LedgerContext) {
    fun report(report: ProgressReport) {
        when (reportAll(listOf(report)).single().result()) {
            Result.WRITTEN -> Unit

            Result.LOST -> throw ErrorCode.JOB_LEASE_LOST.exception()

            Result.INVALID -> throw ErrorCode.INVALID_PROGRESS.exception(
                "Together with the counts reported before, the done count exceeds the total count: report both counts.",
            )
        }
    }

    fun reportAll(reports: List<ProgressReport>): List<ReportedProgress> {
        if (reports.isEmpty()) return emptyList()
        requireDistinct(reports.map { it.lease().leaseId() }, "lease")
        val checkpoints = reports.map { report ->
            report.checkpoint()?.let { context.encoded(it, "job ${report.lease().jobId()}", ValueKind.CHECKPOINT) }
        }
        val validity = context.transactions.statement { connection ->
            connection.rows(
                context.statements["control/progress"],
                {
                    uuids("job_ids", reports.map { it.lease().jobId() })
                    uuids("lease_ids", reports.map { it.lease().leaseId() })
                    wires("stages", reports.map { it.stage() })
                    longs("done", reports.map { it.progress().done() })
                    longs("total", reports.map { it.progress().total() })
                    jsons("checkpoints", checkpoints)
                },
            ) { uuid("lease_id") to getBoolean("is_valid") }
        }.toMap()
        return reports.map { report ->
            val result = when (validity[report.lease().leaseId()]) {
                true -> Result.WRITTEN
                false -> Result.INVALID
                null -> Result.LOST
            }
            ReportedProgress(report.lease(), result)
        }
    }
}

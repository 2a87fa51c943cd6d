package io.runledger.exposed.control

import io.runledger.exposed.LedgerContext
import io.runledger.exposed.intake.ValueKind
import io.runledger.exposed.intake.encoded
import io.runledger.exposed.sql.exception
import io.runledger.exposed.sql.rows
import io.runledger.exposed.sql.uuid
import io.runledger.model.error.ErrorCode
import io.runledger.model.spec.ProgressReport
import io.runledger.model.state.ReportedProgress
import io.runledger.model.state.ReportedProgress.Result

/** Writes what running attempts tell about themselves: one statement for all of them. */
internal class ReportProgress(private val context: LedgerContext) {
    fun report(report: ProgressReport) {
        when (reportAll(listOf(report)).single().result()) {
            Result.WRITTEN -> Unit

            Result.LOST -> throw ErrorCode.JOB_LEASE_LOST.exception()

            Result.INVALID -> throw ErrorCode.INVALID_PROGRESS.exception(
                "Together with what was reported before, more would be done than there is in all: report both counts.",
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
                context.statements["progress"],
                {
                    uuids(reports.map { it.lease().jobId() })
                    uuids(reports.map { it.lease().leaseId() })
                    wires(reports.map { it.stage() })
                    longs(reports.map { it.progress().done() })
                    longs(reports.map { it.progress().total() })
                    jsons(checkpoints)
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

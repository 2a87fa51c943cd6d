package io.runledger.exposed.settle

import io.runledger.exposed.LedgerContext
import io.runledger.exposed.sql.Binder
import io.runledger.exposed.sql.instant
import io.runledger.exposed.sql.rows
import io.runledger.exposed.sql.uuid
import io.runledger.model.policy.Verdict
import io.runledger.model.spec.SettleRequest
import io.runledger.model.state.JobStatus
import io.runledger.model.state.Lease
import io.runledger.model.state.SettledJob
import io.runledger.model.state.SettledJob.Result
import java.sql.ResultSet
import java.time.Instant
import java.util.UUID

/** Ends attempts: one statement for all of them. */
internal class SettleJobs(private val context: LedgerContext) {
    fun settle(requests: List<SettleRequest>): List<SettledJob> {
        if (requests.isEmpty()) return emptyList()
        val endings = requests.map { Ending(it, context.codec) }
        val settled = context.transactions.statement { connection ->
            connection.rows(context.statements["settle"], { bind(endings) }) { uuid("lease_id") to settledJob() }
        }.toMap()
        return requests.map { request -> settled[request.lease().leaseId()]?.invoke(request.lease()) ?: lost(request.lease()) }
    }

    private fun Binder.bind(endings: List<Ending>) {
        uuids(endings.map { it.lease.jobId() })
        uuids(endings.map { it.lease.leaseId() })
        texts(endings.map { it.verdict.kind().name })
        wires(endings.map { it.verdict.attemptOutcome() })
        texts(endings.map { it.reason })
        texts(endings.map { it.failure?.code() })
        texts(endings.map { it.failure?.message() })
        jsons(endings.map { it.failure?.details() })
        jsons(endings.map { it.output })
        jsons(endings.map { it.payload })
        jsons(endings.map { it.checkpoint })
        longs(endings.map { it.delayMicros })
        longs(endings.map { it.notBeforeMicros })
        instants(endings.map { it.notBefore })
        longs(endings.map { it.progress.done() })
        longs(endings.map { it.progress.total() })
    }

    private fun ResultSet.settledJob(): (Lease) -> SettledJob {
        val result = when (Verdict.Kind.valueOf(getString("decided"))) {
            Verdict.Kind.SUCCEED -> Result.SUCCEEDED
            Verdict.Kind.RETRY -> Result.RETRY_SCHEDULED
            Verdict.Kind.DEAD_LETTER -> Result.DEAD_LETTERED
            Verdict.Kind.CONTINUE -> Result.CONTINUED
            Verdict.Kind.SNOOZE -> Result.SNOOZED
            Verdict.Kind.CANCEL -> Result.CANCELED
        }
        val nextRunAt = if (getString("status") == JobStatus.PENDING.wire()) instant("next_run_at") else null
        return { lease -> SettledJob(lease, result, nextRunAt) }
    }

    private fun lost(lease: Lease) = SettledJob(lease, Result.LOST, null)
}

package io.runledger.exposed.reap

import io.runledger.exposed.LedgerContext
import io.runledger.exposed.control.requireDelay
import io.runledger.exposed.control.requireLimit
import io.runledger.exposed.intake.toMicros
import io.runledger.exposed.sql.instantOrNull
import io.runledger.exposed.sql.rows
import io.runledger.exposed.sql.uuid
import io.runledger.exposed.sql.uuidOrNull
import io.runledger.model.error.ErrorCode
import io.runledger.model.state.Lease
import io.runledger.model.state.ReapedJob
import java.sql.ResultSet
import java.time.Duration

/** Ends attempts whose worker vanished: one statement, which waits for nobody. */
internal class ReapJobs(private val context: LedgerContext) {
    fun reap(limit: Int, retryDelay: Duration): List<ReapedJob> {
        requireLimit(limit)
        requireDelay(retryDelay, Duration.ofMillis(1), ErrorCode.INVALID_RETRY_DELAY)
        return context.transactions.statement { connection ->
            connection.rows(
                context.statements["reap"],
                {
                    int(limit)
                    long(retryDelay.toMicros())
                    text(ErrorCode.LEASE_EXPIRED.wire())
                    text(ErrorCode.LEASE_EXPIRED.message())
                },
            ) { reapedJob() }
        }
    }

    private fun ResultSet.reapedJob() = ReapedJob(
        Lease(uuid("id"), getInt("run_number"), getInt("attempt"), getString("worker_id"), uuid("lease_id")),
        getString("job_type"),
        uuidOrNull("organization_id"),
        ReapedJob.Result.valueOf(getString("result")),
        instantOrNull("due_at"),
    )
}

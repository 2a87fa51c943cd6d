package io.runledger.exposed.control

import io.runledger.exposed.LedgerContext
import io.runledger.exposed.intake.toMicros
import io.runledger.exposed.sql.instant
import io.runledger.exposed.sql.rows
import io.runledger.exposed.sql.uuid
import io.runledger.model.error.ErrorCode
import io.runledger.model.state.Lease
import io.runledger.model.state.ReleasedJob
import java.time.Duration

/** Gives leases back: one statement for all of them. */
internal class ReleaseJobs(private val context: LedgerContext) {
    fun release(leases: List<Lease>, reason: String, delay: Duration): List<ReleasedJob> {
        Reason.required(reason)
        requireDelay(delay, Duration.ZERO, ErrorCode.INVALID_DELAY)
        if (leases.isEmpty()) return emptyList()
        val given = leases.distinctBy { it.leaseId() }
        val due = context.transactions.statement { connection ->
            connection.rows(
                context.statements["release"],
                {
                    uuids(given.map { it.jobId() })
                    uuids(given.map { it.leaseId() })
                    text(reason)
                    long(delay.toMicros())
                },
            ) { uuid("lease_id") to instant("next_run_at") }
        }.toMap()
        return leases.map { ReleasedJob(it, due[it.leaseId()]) }
    }
}

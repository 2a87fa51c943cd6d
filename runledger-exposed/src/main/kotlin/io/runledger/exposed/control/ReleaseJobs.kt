package io.runledger.exposed.control

import io.runledger.exposed.context.LedgerContext
import io.runledger.exposed.context.Reason
import io.runledger.exposed.context.requireDelay
import io.runledger.exposed.intake.toMicros
import io.runledger.exposed.settle.leaseStates
import io.runledger.exposed.sql.Parts
import io.runledger.exposed.sql.instant
import io.runledger.exposed.sql.rows
import io.runledger.exposed.sql.uuid
import io.runledger.model.error.ErrorCode
import io.runledger.model.job.Lease
import io.runledger.model.lease.ReleasedJob
import io.runledger.model.lease.ReleasedJob.Result
import java.sql.Connection
import java.time.Duration
import java.util.UUID

/** Gives leases back with one statement. */
internal class ReleaseJobs(private val context: LedgerContext) {
    fun release(leases: List<Lease>, reason: String, delay: Duration): List<ReleasedJob> {
        Reason.required(reason)
        requireDelay(delay, Duration.ZERO, ErrorCode.INVALID_DELAY)
        if (leases.isEmpty()) return emptyList()
        val given = leases.distinctBy { it.leaseId() }
        val answers = if (context.transactions.isJoined) {
            context.transactions.run { release(it, given, reason, delay) }
        } else {
            releaseApart(given, reason, delay)
        }
        return leases.map { answers[it.leaseId()] ?: ReleasedJob(it, Result.LOST, null) }
    }

    private fun releaseApart(leases: List<Lease>, reason: String, delay: Duration): Map<UUID, ReleasedJob> {
        val parts = Parts<Lease, ReleasedJob>(
            { it.leaseId() },
            refused = { lease, refusal -> ReleasedJob(lease, Result.REFUSED, null, refusal) },
            postponed = { lease, fault -> ReleasedJob(lease, Result.BUSY, null, fault) },
        )
        parts.write(leases) { part -> context.transactions.statement { release(it, part, reason, delay) } }
        // If a lease is missing although it is current, another transaction holds the row.
        parts.write(parts.missing(leases)) { part ->
            val states = context.transactions.statement { context.leaseStates(it, part) }
            part.filter { it.leaseId() in states }.associate { it.leaseId() to ReleasedJob(it, Result.BUSY, null) }
        }
        return parts.answers()
    }

    private fun release(connection: Connection, leases: List<Lease>, reason: String, delay: Duration): Map<UUID, ReleasedJob> {
        val byId = leases.associateBy { it.leaseId() }
        return connection.rows(
            context.lockingStatement("control/release"),
            {
                uuids("job_ids", leases.map { it.jobId() })
                uuids("lease_ids", leases.map { it.leaseId() })
                text("reason", reason)
                long("delay_us", delay.toMicros())
            },
        ) {
            val id = uuid("lease_id")
            id to ReleasedJob(byId.getValue(id), Result.RELEASED, instant("next_run_at"))
        }.toMap()
    }
}

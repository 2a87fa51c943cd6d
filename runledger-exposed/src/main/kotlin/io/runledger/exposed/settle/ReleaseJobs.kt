package io.runledger.exposed.settle

import io.runledger.exposed.context.LedgerContext
import io.runledger.exposed.context.Reason
import io.runledger.exposed.context.requireDelay
import io.runledger.exposed.intake.toMicros
import io.runledger.exposed.sql.Parts
import io.runledger.exposed.sql.instant
import io.runledger.exposed.sql.rows
import io.runledger.exposed.sql.uuid
import io.runledger.model.error.ErrorCode
import io.runledger.model.job.Lease
import io.runledger.model.lease.SettledJob
import io.runledger.model.lease.SettledJob.Result
import java.sql.Connection
import java.time.Duration
import java.util.UUID

/** Returns jobs to the queue without using up their attempts, with one statement. */
internal class ReleaseJobs(private val context: LedgerContext) {
    fun release(leases: List<Lease>, reason: String, delay: Duration): List<SettledJob> {
        Reason.required(reason)
        requireDelay(delay, Duration.ZERO, ErrorCode.INVALID_DELAY)
        if (leases.isEmpty()) return emptyList()
        val given = leases.distinctBy { it.leaseId() }
        val answers = if (context.transactions.isJoined) {
            context.transactions.run { release(it, given, reason, delay) }
        } else {
            settlementParts().also { releaseApart(given, reason, delay, it) }.answers()
        }
        return leases.map { answers[it.leaseId()] ?: SettledJob(it, Result.LOST, null) }
    }

    /** Adds the answers to [parts]. A lease without an answer is lost. */
    fun releaseApart(leases: List<Lease>, reason: String, delay: Duration, parts: Parts<Lease, SettledJob>) {
        parts.write(leases) { part -> context.transactions.statement { release(it, part, reason, delay) } }
        // If a lease is missing although it is current, another transaction holds the row.
        parts.write(parts.missing(leases)) { part ->
            val states = context.transactions.statement { context.leaseStates(it, part) }
            part.filter { it.leaseId() in states }.associate { it.leaseId() to SettledJob(it, Result.BUSY, null) }
        }
    }

    /** In the transaction of [connection]. Returns the released jobs by lease id. */
    fun release(connection: Connection, leases: List<Lease>, reason: String, delay: Duration): Map<UUID, SettledJob> {
        val byId = leases.associateBy { it.leaseId() }
        return connection.rows(
            context.lockingStatement("settle/release"),
            {
                uuids("job_ids", leases.map { it.jobId() })
                uuids("lease_ids", leases.map { it.leaseId() })
                text("reason", reason)
                long("delay_us", delay.toMicros())
            },
        ) {
            val id = uuid("lease_id")
            id to SettledJob(byId.getValue(id), Result.RELEASED, instant("next_run_at"))
        }.toMap()
    }
}

/** Settlements in batches of their own transactions. */
internal fun settlementParts(): Parts<Lease, SettledJob> = Parts(
    { it.leaseId() },
    refused = { lease, refusal -> SettledJob(lease, Result.REFUSED, null, refusal) },
    postponed = { lease, fault -> SettledJob(lease, Result.BUSY, null, fault) },
)

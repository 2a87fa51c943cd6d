package io.runledger.exposed.claim

import io.runledger.exposed.context.LedgerContext
import io.runledger.exposed.sql.instantOrNull
import io.runledger.exposed.sql.rows
import io.runledger.exposed.sql.uuid
import io.runledger.model.job.Lease
import io.runledger.model.lease.ClaimRequest
import io.runledger.model.lease.Renewal
import java.sql.ResultSet
import java.time.Duration
import java.time.Instant

/** Renews many leases in one statement. */
internal class RenewLeases(private val context: LedgerContext) {
    fun renew(leases: List<Lease>, duration: Duration): List<Renewal> {
        val seconds = ClaimRequest.leaseSeconds(duration)
        if (leases.isEmpty()) return emptyList()
        val renewals = context.transactions.statement { connection ->
            connection.rows(
                context.statements["claim/heartbeat"],
                {
                    uuids("job_ids", leases.map { it.jobId() })
                    uuids("lease_ids", leases.map { it.leaseId() })
                    int("lease_seconds", seconds)
                },
            ) { uuid("lease_id") to renewal() }
        }.toMap()
        return leases.map { lease ->
            val (answer, expiresAt) = renewals[lease.leaseId()] ?: (Renewal.Answer.LOST to null)
            Renewal(lease, answer, expiresAt)
        }
    }

    private fun ResultSet.renewal(): Pair<Renewal.Answer, Instant?> {
        val expiresAt = instantOrNull("lease_expires_at")
        val answer = when {
            expiresAt != null -> Renewal.Answer.RENEWED
            getBoolean("is_canceled") -> Renewal.Answer.CANCELED
            getBoolean("is_busy") -> Renewal.Answer.BUSY
            else -> Renewal.Answer.LOST
        }
        return answer to expiresAt
    }
}

package io.runledger.exposed.claim

import io.runledger.exposed.LedgerContext
import io.runledger.exposed.sql.instantOrNull
import io.runledger.exposed.sql.rows
import io.runledger.exposed.sql.uuid
import io.runledger.model.spec.ClaimRequest
import io.runledger.model.state.Lease
import io.runledger.model.state.Renewal
import java.time.Duration

/** Renews many leases in one statement. */
internal class RenewLeases(private val context: LedgerContext) {
    fun renew(leases: List<Lease>, duration: Duration): List<Renewal> {
        val seconds = ClaimRequest.leaseSeconds(duration)
        if (leases.isEmpty()) return emptyList()
        val answers = context.transactions.statement { connection ->
            connection.rows(
                context.statements["heartbeat"],
                {
                    uuids(leases.map { it.jobId() })
                    uuids(leases.map { it.leaseId() })
                    int(seconds)
                },
            ) { uuid("lease_id") to (instantOrNull("lease_expires_at") to getBoolean("is_canceled")) }
        }.toMap()
        return leases.map { lease ->
            val (expiresAt, isCanceled) = answers[lease.leaseId()] ?: (null to false)
            val answer = when {
                expiresAt != null -> Renewal.Answer.RENEWED
                isCanceled -> Renewal.Answer.CANCELED
                else -> Renewal.Answer.LOST
            }
            Renewal(lease, answer, expiresAt)
        }
    }
}

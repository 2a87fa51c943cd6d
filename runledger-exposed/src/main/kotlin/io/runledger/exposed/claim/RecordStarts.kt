package io.runledger.exposed.claim

import io.runledger.exposed.context.LedgerContext
import io.runledger.exposed.sql.rows
import io.runledger.exposed.sql.uuid
import io.runledger.model.job.Lease
import java.util.UUID

/** Records in one statement that the handlers of many jobs have begun. */
internal class RecordStarts(private val context: LedgerContext) {
    /** The lease ids of the recorded starts. */
    fun record(leases: List<Lease>): Set<UUID> {
        if (leases.isEmpty()) return emptySet()
        return context.transactions.statement { connection ->
            connection.rows(
                context.statements["claim/record_starts"],
                {
                    uuids("job_ids", leases.map { it.jobId() })
                    uuids("lease_ids", leases.map { it.leaseId() })
                },
            ) { uuid("lease_id") }
        }.toSet()
    }
}

package io.runledger.exposed.settle

import io.runledger.exposed.context.LedgerContext
import io.runledger.exposed.sql.rows
import io.runledger.exposed.sql.uuid
import io.runledger.model.job.Lease
import java.sql.Connection
import java.util.UUID

/** The state of a lease in its job's row as last committed. */
internal class LeaseState(val isStep: Boolean, val isLive: Boolean)

/** The [leases] that their jobs still have, by lease id; the others are lost. Does not wait for locks. */
internal fun LedgerContext.leaseStates(connection: Connection, leases: List<Lease>): Map<UUID, LeaseState> = connection.rows(
    statements["settle/lease_states"],
    {
        uuids("job_ids", leases.map { it.jobId() })
        uuids("lease_ids", leases.map { it.leaseId() })
    },
) { uuid("lease_id") to LeaseState(getBoolean("is_step"), getBoolean("is_live")) }.toMap()

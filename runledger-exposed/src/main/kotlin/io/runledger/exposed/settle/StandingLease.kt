package io.runledger.exposed.settle

import io.runledger.exposed.LedgerContext
import io.runledger.exposed.sql.rows
import io.runledger.exposed.sql.uuid
import io.runledger.model.state.Lease
import java.sql.Connection
import java.util.UUID

/** How a lease stands in its job's row as last committed. */
internal class StandingLease(val isStep: Boolean, val isLive: Boolean)

/** Those of [leases] that their jobs' rows still hold, by lease id; the others are lost. Waits for no row. */
internal fun LedgerContext.standing(connection: Connection, leases: List<Lease>): Map<UUID, StandingLease> = connection.rows(
    statements["lease_standing"],
    {
        uuids(leases.map { it.jobId() })
        uuids(leases.map { it.leaseId() })
    },
) { uuid("lease_id") to StandingLease(getBoolean("is_step"), getBoolean("is_live")) }.toMap()

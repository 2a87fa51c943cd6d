package io.runledger.exposed.control

import io.runledger.exposed.LedgerContext
import io.runledger.exposed.sql.instant
import io.runledger.exposed.sql.instantOrNull
import io.runledger.exposed.sql.rows
import io.runledger.exposed.sql.scope
import io.runledger.exposed.sql.scoped
import io.runledger.exposed.sql.uuid
import io.runledger.exposed.sql.wire
import io.runledger.model.state.JobStatus
import io.runledger.model.state.Scope
import java.sql.Connection
import java.time.Instant
import java.util.UUID

/** Where a job stands, as far as an operator's action depends on it. */
internal class Standing(
    val id: UUID,
    val status: JobStatus,
    val runNumber: Int,
    /** By when a canceled job's handler must have noticed; null once that is past. */
    val quietAt: Instant?,
    val at: Instant,
    val hasStep: Boolean,
)

/** Reads where jobs stand without locking them, so that a look at a running job is never in its worker's way. */
internal class ReadStanding(private val context: LedgerContext) {
    fun read(connection: Connection, scope: Scope, ids: List<UUID>): Map<UUID, Standing> = connection.rows(
        context.statements.scoped("job_standing", scope),
        {
            uuids(ids)
            scope(scope)
        },
    ) {
        Standing(
            uuid("id"),
            wire("status"),
            getInt("run_number"),
            instantOrNull("quiet_at"),
            instant("at"),
            getBoolean("has_step"),
        )
    }.associateBy { it.id }
}

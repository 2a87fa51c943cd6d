package io.runledger.exposed.control

import io.runledger.exposed.context.LedgerContext
import io.runledger.exposed.sql.instant
import io.runledger.exposed.sql.instantOrNull
import io.runledger.exposed.sql.rows
import io.runledger.exposed.sql.scope
import io.runledger.exposed.sql.scoped
import io.runledger.exposed.sql.uuid
import io.runledger.exposed.sql.wire
import io.runledger.model.job.JobStatus
import io.runledger.model.ledger.Scope
import java.sql.Connection
import java.time.Instant
import java.util.UUID

/** The state of a job, as far as the action of an operator depends on it. */
internal class JobState(
    val id: UUID,
    val status: JobStatus,
    val runNumber: Int,
    /** The time by which the handler of a canceled job has noticed; null if that time has passed. */
    val quietAt: Instant?,
    val at: Instant,
    val hasStep: Boolean,
)

/** Reads the state of jobs without locks, so that it does not delay the worker of a running job. */
internal class ReadJobStates(private val context: LedgerContext) {
    fun read(connection: Connection, scope: Scope, ids: List<UUID>): Map<UUID, JobState> = connection.rows(
        context.statements.scoped("control/job_states", scope),
        {
            uuids("job_ids", ids)
            scope(scope)
        },
    ) {
        JobState(
            uuid("id"),
            wire("status"),
            getInt("run_number"),
            instantOrNull("quiet_at"),
            instant("at"),
            getBoolean("has_step"),
        )
    }.associateBy { it.id }
}

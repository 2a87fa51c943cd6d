package io.runledger.exposed.control

import io.runledger.exposed.LedgerContext
import io.runledger.exposed.intake.toMicros
import io.runledger.exposed.sql.exception
import io.runledger.exposed.sql.rows
import io.runledger.exposed.sql.scope
import io.runledger.exposed.sql.scoped
import io.runledger.exposed.sql.uuid
import io.runledger.exposed.sql.wire
import io.runledger.model.error.ErrorCode
import io.runledger.model.spec.JobSelection
import io.runledger.model.state.JobStatus
import io.runledger.model.state.Scope
import java.sql.Connection
import java.util.UUID

/** Finds the jobs an operator means, oldest first, without locking them. */
internal class SelectJobs(private val context: LedgerContext) {
    fun select(
        connection: Connection,
        scope: Scope,
        selection: JobSelection,
        statuses: Set<JobStatus>,
        limit: Int,
    ): List<SelectedJob> = connection.rows(
        context.statements.scoped("select_jobs", scope),
        {
            texts(selection.jobTypes())
            wires(statuses.toList())
            text(selection.errorCode())
            long(selection.olderThan()?.asAge()?.toMicros())
            repeat(ARMS) { scope(scope) }
            int(limit)
        },
    ) { SelectedJob(uuid("id"), wire("status"), getInt("run_number")) }

    private companion object {
        const val ARMS = 3
    }
}

internal class SelectedJob(val id: UUID, val status: JobStatus, val runNumber: Int)

/** The statuses [selection] means, out of those an operation can change. */
internal fun statusesOf(selection: JobSelection, possible: Set<JobStatus>): Set<JobStatus> {
    val impossible = selection.statuses() - possible
    if (impossible.isNotEmpty()) {
        throw ErrorCode.INVALID_ARGUMENT.exception(
            "The selection names ${impossible.joinToString()}: this operation changes jobs that are " +
                "${possible.joinToString(" or ")}.",
        )
    }
    return selection.statuses().ifEmpty { possible }
}

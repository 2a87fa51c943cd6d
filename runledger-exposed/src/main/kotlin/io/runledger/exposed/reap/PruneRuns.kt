package io.runledger.exposed.reap

import io.runledger.exposed.LedgerContext
import io.runledger.exposed.control.asAge
import io.runledger.exposed.intake.toMicros
import io.runledger.exposed.sql.row
import io.runledger.exposed.sql.rows
import io.runledger.exposed.sql.update
import io.runledger.exposed.sql.uuid
import io.runledger.model.spec.PruneRunsRequest
import io.runledger.model.state.PrunedRuns
import java.sql.Connection
import java.util.UUID

/** Forgets ended runs with everything that belongs to them, their jobs too: four statements whatever their number. */
internal class PruneRuns(private val context: LedgerContext) {
    fun prune(request: PruneRunsRequest): PrunedRuns = context.transactions.run { connection ->
        val picked = pick(connection, request)
        val next = if (picked.size == request.limit()) picked.last().id else null
        val doomed = picked.filter { it.mayGo }.map { it.id }
        if (doomed.isEmpty()) return@run PrunedRuns(0, 0, next)
        val jobs = connection.rows(context.statements["prune_runs_jobs"], { uuids(doomed) }) { uuid("job_id") }
        connection.update(context.statements["prune_runs"]) { uuids(doomed) }
        PrunedRuns(doomed.size, if (jobs.isEmpty()) 0 else delete(connection, jobs), next)
    }

    private fun pick(connection: Connection, request: PruneRunsRequest): List<Picked> = connection.rows(
        context.statements["prune_runs_pick"],
        {
            long(request.olderThan().asAge().toMicros())
            uuid(request.after() ?: UUID(0, 0))
            wires(request.statuses().toList())
            int(request.limit())
        },
    ) { Picked(uuid("id"), getBoolean("may_go")) }

    /** A step's job is never replayed, so it is a family of its own. */
    private fun delete(connection: Connection, jobs: List<UUID>): Int = checkNotNull(
        connection.row(
            context.statements["prune"],
            {
                uuids(jobs)
                uuids(jobs)
            },
        ) { getInt("jobs") },
    )

    private class Picked(val id: UUID, val mayGo: Boolean)
}

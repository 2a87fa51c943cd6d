package io.runledger.exposed.reap

import io.runledger.exposed.context.LedgerContext
import io.runledger.exposed.context.TimedCursor
import io.runledger.exposed.sql.instant
import io.runledger.exposed.sql.row
import io.runledger.exposed.sql.rows
import io.runledger.exposed.sql.update
import io.runledger.exposed.sql.uuid
import io.runledger.model.retention.PruneRunsRequest
import io.runledger.model.retention.PrunedRuns
import java.sql.Connection
import java.util.UUID

/** Deletes ended runs with all rows that belong to them, their jobs included, with five statements, whatever their number. */
internal class PruneRuns(private val context: LedgerContext) {
    fun prune(request: PruneRunsRequest): PrunedRuns {
        val parts = PruneParts(
            context.transactions,
            pick = { connection, limit, after -> pick(connection, request, limit, after) },
            positionOf = { it.run },
            delete = { connection, picked -> delete(connection, picked.filter { it.isDeletable }.map { it.run.id }) },
        )
        val next = parts.prune(request.limit(), request.after()?.let(TimedCursor::read))
        val deleted = parts.deleted
        return PrunedRuns(deleted.sumOf { it.runs }, deleted.sumOf { it.jobs }, parts.refused, next?.text())
    }

    private fun pick(connection: Connection, request: PruneRunsRequest, limit: Int, after: TimedCursor?): List<Picked> =
        connection.rows(
            context.statements["reap/prune_runs_pick"],
            { picked(request.olderThan(), request.statuses(), limit, after) },
        ) { Picked(TimedCursor(instant("finished_at"), uuid("id")), getBoolean("is_deletable")) }

    /** The job of a step is never replayed, so it is a family of its own. */
    private fun delete(connection: Connection, runs: List<UUID>): Deleted {
        if (runs.isEmpty()) return Deleted(0, 0)
        val jobs = connection.rows(context.statements["reap/prune_runs_jobs"], { uuids("run_ids", runs) }) { uuid("job_id") }
        connection.update(context.statements["reap/prune_runs"]) { uuids("run_ids", runs) }
        if (jobs.isEmpty()) return Deleted(runs.size, 0)
        val deleted = connection.row(
            context.statements["reap/prune"],
            {
                uuids("root_ids", jobs)
                uuids("held_ids", jobs)
            },
        ) { getInt("jobs") }
        return Deleted(runs.size, checkNotNull(deleted))
    }

    private class Picked(val run: TimedCursor, val isDeletable: Boolean)

    private class Deleted(val runs: Int, val jobs: Int)
}

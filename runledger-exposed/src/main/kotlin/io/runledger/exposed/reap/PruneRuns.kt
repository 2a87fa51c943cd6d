package io.runledger.exposed.reap

import io.runledger.exposed.context.LedgerContext
import io.runledger.exposed.context.asAge
import io.runledger.exposed.intake.toMicros
import io.runledger.exposed.read.TimedCursor
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
        val parts = PruneParts(context.transactions) { connection, limit, after, picked ->
            delete(connection, request, limit, after, picked)
        }
        val next = parts.prune(request.limit(), request.after()?.let(TimedCursor::read))
        val deleted = parts.deleted
        return PrunedRuns(deleted.sumOf { it.runs }, deleted.sumOf { it.jobs }, parts.refused, next?.text())
    }

    private fun delete(
        connection: Connection,
        request: PruneRunsRequest,
        limit: Int,
        after: TimedCursor?,
        onPicked: (List<TimedCursor>) -> Unit,
    ): Deleted {
        val picked = pick(connection, request, limit, after)
        onPicked(picked.map { it.run })
        val deletable = picked.filter { it.isDeletable }.map { it.run.id }
        return if (deletable.isEmpty()) Deleted(0, 0) else Deleted(deletable.size, delete(connection, deletable))
    }

    private fun pick(connection: Connection, request: PruneRunsRequest, limit: Int, after: TimedCursor?): List<Picked> =
        connection.rows(
            context.statements["reap/prune_runs_pick"],
            {
                long("age_us", request.olderThan().asAge().toMicros())
                instant("after_at", after?.at)
                uuid("after_id", after?.id ?: UUID(0, 0))
                wires("statuses", request.statuses().toList())
                int("limit", limit)
            },
        ) { Picked(TimedCursor(instant("finished_at"), uuid("id")), getBoolean("is_deletable")) }

    /** Returns the number of deleted jobs. The job of a step is never replayed, so it is a family of its own. */
    private fun delete(connection: Connection, runs: List<UUID>): Int {
        val jobs = connection.rows(context.statements["reap/prune_runs_jobs"], { uuids("run_ids", runs) }) { uuid("job_id") }
        connection.update(context.statements["reap/prune_runs"]) { uuids("run_ids", runs) }
        if (jobs.isEmpty()) return 0
        return checkNotNull(
            connection.row(
                context.statements["reap/prune"],
                {
                    uuids("root_ids", jobs)
                    uuids("held_ids", jobs)
                },
            ) { getInt("jobs") },
        )
    }

    private class Picked(val run: TimedCursor, val isDeletable: Boolean)

    private class Deleted(val runs: Int, val jobs: Int)
}

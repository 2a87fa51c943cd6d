package io.runledger.exposed.reap

import io.runledger.exposed.LedgerContext
import io.runledger.exposed.control.asAge
import io.runledger.exposed.intake.toMicros
import io.runledger.exposed.read.TimedCursor
import io.runledger.exposed.sql.instant
import io.runledger.exposed.sql.row
import io.runledger.exposed.sql.rows
import io.runledger.exposed.sql.update
import io.runledger.exposed.sql.uuid
import io.runledger.model.spec.PruneRunsRequest
import io.runledger.model.state.PrunedRuns
import java.sql.Connection
import java.util.UUID

/** Forgets ended runs with everything that belongs to them, their jobs too: five statements whatever their number. */
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
        tell: (List<TimedCursor>) -> Unit,
    ): Deleted {
        val picked = pick(connection, request, limit, after)
        tell(picked.map { it.run })
        val doomed = picked.filter { it.mayGo }.map { it.run.id }
        return if (doomed.isEmpty()) Deleted(0, 0) else Deleted(doomed.size, delete(connection, doomed))
    }

    private fun pick(connection: Connection, request: PruneRunsRequest, limit: Int, after: TimedCursor?): List<Picked> =
        connection.rows(
            context.statements["prune_runs_pick"],
            {
                long(request.olderThan().asAge().toMicros())
                instant(after?.at)
                uuid(after?.id ?: UUID(0, 0))
                wires(request.statuses().toList())
                repeat(2) { int(limit) }
                wires(request.statuses().toList())
            },
        ) { Picked(TimedCursor(instant("finished_at"), uuid("id")), getBoolean("may_go")) }

    /** Answers with the number of jobs. A step's job is never replayed, so it is a family of its own. */
    private fun delete(connection: Connection, runs: List<UUID>): Int {
        val jobs = connection.rows(context.statements["prune_runs_jobs"], { repeat(2) { uuids(runs) } }) { uuid("job_id") }
        connection.update(context.statements["prune_runs"]) { uuids(runs) }
        if (jobs.isEmpty()) return 0
        return checkNotNull(connection.row(context.statements["prune"], { repeat(2) { uuids(jobs) } }) { getInt("jobs") })
    }

    private class Picked(val run: TimedCursor, val mayGo: Boolean)

    private class Deleted(val runs: Int, val jobs: Int)
}

package io.runledger.exposed.reap

import io.runledger.exposed.context.LedgerContext
import io.runledger.exposed.context.TimedCursor
import io.runledger.exposed.sql.instant
import io.runledger.exposed.sql.row
import io.runledger.exposed.sql.rows
import io.runledger.exposed.sql.uuid
import io.runledger.model.retention.PruneReport
import io.runledger.model.retention.PruneRequest
import java.sql.Connection
import java.util.UUID

/** Deletes ended jobs: one statement locks them, a second one deletes them with all rows that belong to them. */
internal class PruneJobs(private val context: LedgerContext) {
    fun prune(request: PruneRequest): PruneReport {
        val parts = PruneParts(
            context.transactions,
            pick = { connection, limit, after -> pick(connection, request, limit, after) },
            positionOf = { it.root },
            delete = ::delete,
        )
        val next = parts.prune(request.limit(), request.after()?.let(TimedCursor::read))
        val deleted = parts.deleted
        return PruneReport(
            deleted.sumOf { it.jobs },
            deleted.sumOf { it.attempts },
            deleted.sumOf { it.events },
            deleted.sumOf { it.logs },
            deleted.sumOf { it.deadLetters },
            parts.refused,
            next?.text(),
        )
    }

    private fun pick(connection: Connection, request: PruneRequest, limit: Int, after: TimedCursor?): List<Picked> =
        connection.rows(
            context.statements["reap/prune_pick"],
            { picked(request.olderThan(), request.statuses(), limit, after) },
        ) { Picked(TimedCursor(instant("finished_at"), uuid("root")), uuid("member"), getBoolean("is_held")) }

    private fun delete(connection: Connection, picked: List<Picked>): Deleted {
        val held = picked.filter { it.isHeld }.map { it.member }
        if (held.isEmpty()) return Deleted.NOTHING
        return checkNotNull(
            connection.row(
                context.statements["reap/prune"],
                {
                    uuids("root_ids", picked.map { it.root.id }.distinct())
                    uuids("held_ids", held)
                },
            ) { Deleted(getInt("jobs"), getInt("attempts"), getInt("events"), getInt("logs"), getInt("dead_letters")) },
        )
    }

    private class Picked(val root: TimedCursor, val member: UUID, val isHeld: Boolean)

    private class Deleted(val jobs: Int, val attempts: Int, val events: Int, val logs: Int, val deadLetters: Int) {
        companion object {
            val NOTHING = Deleted(0, 0, 0, 0, 0)
        }
    }
}

package io.runledger.exposed.reap

import io.runledger.exposed.LedgerContext
import io.runledger.exposed.control.asAge
import io.runledger.exposed.intake.toMicros
import io.runledger.exposed.sql.row
import io.runledger.exposed.sql.rows
import io.runledger.exposed.sql.uuid
import io.runledger.model.spec.PruneRequest
import io.runledger.model.state.PruneReport
import java.sql.Connection
import java.util.UUID

/** Forgets ended jobs: one statement locks them, a second one deletes them with everything that belongs to them. */
internal class PruneJobs(private val context: LedgerContext) {
    fun prune(request: PruneRequest): PruneReport = context.transactions.run { connection ->
        val picked = pick(connection, request)
        val roots = picked.map { it.root }.distinct()
        val next = if (roots.size == request.limit()) roots.last() else null
        val held = picked.filter { it.isHeld }.map { it.member }
        if (held.isEmpty()) PruneReport(0, 0, 0, 0, 0, next) else delete(connection, roots, held, next)
    }

    private fun pick(connection: Connection, request: PruneRequest): List<Picked> = connection.rows(
        context.statements["prune_pick"],
        {
            long(request.olderThan().asAge().toMicros())
            uuid(request.after() ?: UUID(0, 0))
            wires(request.statuses().toList())
            int(request.limit())
            wires(request.statuses().toList())
        },
    ) { Picked(uuid("root"), uuid("member"), getBoolean("is_held")) }

    private fun delete(connection: Connection, roots: List<UUID>, held: List<UUID>, next: UUID?): PruneReport = checkNotNull(
        connection.row(
            context.statements["prune"],
            {
                uuids(roots)
                uuids(held)
            },
        ) { PruneReport(getInt("jobs"), getInt("attempts"), getInt("events"), getInt("logs"), getInt("dead_letters"), next) },
    )

    private class Picked(val root: UUID, val member: UUID, val isHeld: Boolean)
}

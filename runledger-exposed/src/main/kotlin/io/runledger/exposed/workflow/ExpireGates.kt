package io.runledger.exposed.workflow

import io.runledger.exposed.LedgerContext
import io.runledger.exposed.control.requireLimit
import io.runledger.exposed.sql.LockWait
import io.runledger.exposed.sql.isAboutARow
import io.runledger.exposed.sql.isHeldElsewhere
import io.runledger.exposed.sql.row
import io.runledger.exposed.sql.rows
import io.runledger.exposed.sql.uuid
import io.runledger.exposed.sql.wire
import io.runledger.model.error.ErrorCode
import io.runledger.model.error.RunledgerException
import io.runledger.model.state.ExpiredGate
import io.runledger.model.state.Scope
import org.slf4j.LoggerFactory
import java.sql.Connection
import java.sql.SQLException
import java.util.UUID

/** Ends the gates that nobody completed in time. */
internal class ExpireGates(private val context: LedgerContext) {
    private val runs = LockRuns(context)
    private val advance = AdvanceRuns(context)

    fun expire(limit: Int): List<ExpiredGate> {
        requireLimit(limit)
        return try {
            context.transactions.runBriefly(LockWait.TOGETHER) { connection ->
                context.transactions.requireReadCommitted(connection, ErrorCode.GATE_ISOLATION)
                val runs = overdue(connection, limit)
                if (runs.isEmpty()) emptyList() else end(connection, runs, limit)
            }
        } catch (refusal: RunledgerException) {
            if (context.transactions.isJoined || !(refusal.isAboutARun() || refusal.isHeldElsewhere)) throw refusal
            context.transactions.run { overdue(it, limit) }.flatMap { run -> expireOne(run, limit) }
        }
    }

    /** Also asks on behalf of active keys: whoever wants to know one wants to know the other. */
    fun needUpkeep(): Boolean = checkNotNull(
        context.transactions.statement { it.row(context.statements["upkeep"]) { getBoolean("is_due") } },
    )

    /** A run that was damaged, or that needs a row which another session holds, must not keep the gates of the others open. */
    private fun expireOne(run: UUID, limit: Int): List<ExpiredGate> = try {
        context.transactions.runBriefly(LockWait.ONE_BY_ONE) { connection ->
            if (runs.lock(connection, Scope.everything(), run) == null) emptyList() else end(connection, listOf(run), limit)
        }
    } catch (refusal: RunledgerException) {
        when {
            refusal.isHeldElsewhere -> log.info("The overdue gates of run {} wait for a row that another session holds.", run)
            refusal.isAboutARun() -> log.warn("The overdue gates of run {} cannot be ended.", run, refusal)
            else -> throw refusal
        }
        emptyList()
    }

    /** Refused by the database, or not to be read by this version. */
    private fun RunledgerException.isAboutARun() =
        isAboutARow() || (cause !is SQLException && code() == ErrorCode.DB_QUERY_FAILED)

    /** Runs with overdue gates, locked. */
    private fun overdue(connection: Connection, limit: Int): List<UUID> =
        connection.rows(context.statements["gate_expired_runs"], { int(limit) }) { uuid("id") }

    private fun end(connection: Connection, runs: List<UUID>, limit: Int): List<ExpiredGate> {
        val ended = connection.rows(
            context.statements["gate_expire"],
            {
                text(ErrorCode.GATE_EXPIRED.wire())
                text(ErrorCode.GATE_EXPIRED.wire())
                text(ErrorCode.GATE_EXPIRED.message())
                uuids(runs)
                int(limit)
            },
        ) { Expired(uuid("id"), ExpiredGate(uuid("workflow_run_id"), getString("step_key"), wire("status"))) }
        val tally = Tally()
        ended.forEach { tally.add(it.gate.runId(), open = -1, waiting = -1, errors = 1) }
        advance.advance(connection, ended.map { it.id }, tally)
        return ended.map { it.gate }
    }

    private class Expired(val id: UUID, val gate: ExpiredGate)

    private companion object {
        val log = LoggerFactory.getLogger(ExpireGates::class.java)
    }
}

package io.runledger.exposed.workflow

import io.runledger.exposed.context.LedgerContext
import io.runledger.exposed.context.requireLimit
import io.runledger.exposed.sql.IsolateRefusals
import io.runledger.exposed.sql.LockWait
import io.runledger.exposed.sql.isAboutOneRow
import io.runledger.exposed.sql.isHeldElsewhere
import io.runledger.exposed.sql.row
import io.runledger.exposed.sql.rows
import io.runledger.exposed.sql.uuid
import io.runledger.exposed.sql.wire
import io.runledger.model.error.ErrorCode
import io.runledger.model.error.RunledgerException
import io.runledger.model.ledger.Scope
import io.runledger.model.run.ExpiredGate
import org.slf4j.LoggerFactory
import java.sql.Connection
import java.sql.SQLException
import java.util.UUID

/** Ends gates that are past their deadline. */
internal class ExpireGates(private val context: LedgerContext) {
    private val runs = LockRuns(context)
    private val advance = AdvanceRuns(context)

    /** A refusal concerns a single run also if this version cannot read the run. */
    private val isolation = IsolateRefusals {
        it.isAboutOneRow() || (it.cause !is SQLException && it.code() == ErrorCode.DB_QUERY_FAILED)
    }

    fun expire(limit: Int): List<ExpiredGate> {
        requireLimit(limit)
        if (context.transactions.isJoined) return expireTogether(limit)
        return isolation.attempt({ expireTogether(limit) }) {
            val overdue = context.transactions.run { overdue(it, limit) }
            isolation.oneByOne(overdue, ::leaveOpen) { run -> expireOne(run, limit) }.flatten()
        }
    }

    private fun expireTogether(limit: Int): List<ExpiredGate> = context.transactions.runBriefly(LockWait.TOGETHER) { connection ->
        context.transactions.requireReadCommitted(connection, ErrorCode.GATE_ISOLATION)
        val runs = overdue(connection, limit)
        if (runs.isEmpty()) emptyList() else end(connection, runs, limit)
    }

    /** Whether gates are overdue or active keys may have to be released. Callers need both, so one statement checks both. */
    fun needUpkeep(): Boolean = checkNotNull(
        context.transactions.statement { it.row(context.statements["workflow/upkeep"]) { getBoolean("is_due") } },
    )

    /** Handles one run alone, so that a damaged run, or a row that another session has locked, does not block other runs. */
    private fun expireOne(run: UUID, limit: Int): List<ExpiredGate> =
        context.transactions.runBriefly(LockWait.ONE_BY_ONE) { connection ->
            if (runs.lock(connection, Scope.everything(), run) == null) emptyList() else end(connection, listOf(run), limit)
        }

    private fun leaveOpen(run: UUID, refusal: RunledgerException): List<ExpiredGate>? {
        if (refusal.isHeldElsewhere) {
            log.info("The overdue gates of run {} stay open: another session has locked a row. A later call ends them.", run)
        } else {
            log.warn("The overdue gates of run {} cannot be ended: check the rows of the run.", run, refusal)
        }
        return null
    }

    /** Locks the runs with overdue gates. */
    private fun overdue(connection: Connection, limit: Int): List<UUID> =
        connection.rows(context.statements["workflow/gate_expired_runs"], { int("limit", limit) }) { uuid("id") }

    private fun end(connection: Connection, runs: List<UUID>, limit: Int): List<ExpiredGate> {
        val ended = connection.rows(
            context.statements["workflow/gate_expire"],
            {
                text("error_code", ErrorCode.GATE_EXPIRED.wire())
                text("error_message", ErrorCode.GATE_EXPIRED.message())
                uuids("run_ids", runs)
                int("limit", limit)
            },
        ) { Expired(uuid("id"), ExpiredGate(uuid("workflow_run_id"), getString("step_key"), wire("status"))) }
        val counters = RunCounters()
        ended.forEach { counters.add(it.gate.runId(), open = -1, waiting = -1, errors = 1) }
        advance.advance(connection, ended.map { EndedStep(it.gate.runId(), it.id, it.gate.status()) }, counters)
        return ended.map { it.gate }
    }

    private class Expired(val id: UUID, val gate: ExpiredGate)

    private companion object {
        val log = LoggerFactory.getLogger(ExpireGates::class.java)
    }
}

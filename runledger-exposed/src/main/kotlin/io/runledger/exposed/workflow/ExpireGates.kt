package io.runledger.exposed.workflow

import io.runledger.exposed.LedgerContext
import io.runledger.exposed.control.requireLimit
import io.runledger.exposed.sql.row
import io.runledger.exposed.sql.rows
import io.runledger.exposed.sql.uuid
import io.runledger.exposed.sql.wire
import io.runledger.model.error.ErrorCode
import io.runledger.model.state.ExpiredGate
import java.util.UUID

/** Ends the gates that nobody completed in time. */
internal class ExpireGates(private val context: LedgerContext) {
    private val advance = AdvanceRuns(context)

    fun expire(limit: Int): List<ExpiredGate> {
        requireLimit(limit)
        return context.transactions.run { connection ->
            context.transactions.requireReadCommitted(connection, ErrorCode.GATE_ISOLATION)
            val runs = connection.rows(context.statements["gate_expired_runs"], { int(limit) }) { uuid("id") }
            if (runs.isEmpty()) return@run emptyList()
            val tally = Tally()
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
            ended.forEach { tally.add(it.gate.runId(), open = -1, waiting = -1, errors = 1) }
            advance.advance(connection, ended.map { it.id }, tally)
            ended.map { it.gate }
        }
    }

    /** Also asks on behalf of active keys: whoever wants to know one wants to know the other. */
    fun needUpkeep(): Boolean = checkNotNull(
        context.transactions.statement { it.row(context.statements["upkeep"]) { getBoolean("is_due") } },
    )

    private class Expired(val id: UUID, val gate: ExpiredGate)
}

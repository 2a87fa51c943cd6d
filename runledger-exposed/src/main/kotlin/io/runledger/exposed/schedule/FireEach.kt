package io.runledger.exposed.schedule

import io.runledger.exposed.context.LedgerContext
import io.runledger.exposed.sql.IsolateRefusals
import io.runledger.exposed.sql.isHeldElsewhere
import io.runledger.exposed.sql.rows
import io.runledger.exposed.sql.uuid
import io.runledger.model.error.RunledgerException
import io.runledger.model.schedule.SchedulePass
import java.util.UUID

/**
 * A pass that fires each schedule in a transaction of its own, because the database refused a row or another session held one.
 * A schedule whose fire is refused is deferred with the refusal as the reason. A schedule that needs a row of another session
 * stays due. [fireOne] fires a schedule, or defers it if a refusal is given.
 */
internal class FireEach(private val context: LedgerContext, private val fireOne: (UUID, RunledgerException?) -> SchedulePass) {
    private val isolation = IsolateRefusals()

    /** Throws only if no schedule could be fired or deferred: an empty result would hide the failure. */
    fun fire(limit: Int): SchedulePass {
        val due = context.transactions.statement { connection ->
            connection.rows(context.statements["schedule/schedule_due_ids"], { int("limit", limit) }) { uuid("id") }
        }
        val passes = isolation.oneByOne(due, ::defer) { fireOne(it, null) }
        val handled = passes.sumOf { it.schedules() }
        if (handled == 0) isolation.throwIfStuck()
        return SchedulePass(
            handled,
            passes.flatMap { it.fires() },
            passes.flatMap { it.deferred() },
            passes.flatMap { it.ended() },
        )
    }

    private fun defer(schedule: UUID, refusal: RunledgerException): SchedulePass? =
        if (refusal.isHeldElsewhere) null else isolation.defer(refusal) { fireOne(schedule, refusal) }
}

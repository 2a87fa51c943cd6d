package io.runledger.exposed.schedule

import io.runledger.exposed.LedgerContext
import io.runledger.exposed.sql.isAboutARow
import io.runledger.exposed.sql.isHeldElsewhere
import io.runledger.exposed.sql.rows
import io.runledger.exposed.sql.uuid
import io.runledger.model.error.RunledgerException
import io.runledger.model.state.SchedulePass
import java.util.UUID

/**
 * A pass schedule by schedule, each a transaction of its own, because the database refused a row or another session held one.
 * Those whose fire is refused are deferred with the refusal as the reason; those that need what another session holds stay due.
 * [fireOne] fires a schedule, or defers it when it is given a refusal.
 */
internal class FireEach(private val context: LedgerContext, private val fireOne: (UUID, RunledgerException?) -> SchedulePass) {
    /** What the schedules suffered that could not even be deferred. */
    private var stuck: RunledgerException? = null

    /** Fails only when nothing could be done for anybody, so that nobody takes it for peace. */
    fun fire(limit: Int): SchedulePass {
        val due = context.transactions.statement { connection ->
            connection.rows(context.statements["schedule_due_ids"], { int(limit) }) { uuid("id") }
        }
        val passes = due.mapNotNull(::fireOrDefer)
        val handled = passes.sumOf { it.schedules() }
        if (handled == 0) stuck?.let { throw it }
        return SchedulePass(
            handled,
            passes.flatMap { it.fires() },
            passes.flatMap { it.deferred() },
            passes.flatMap { it.ended() },
        )
    }

    private fun fireOrDefer(schedule: UUID): SchedulePass? = try {
        fireOne(schedule, null)
    } catch (refusal: RunledgerException) {
        when {
            refusal.isHeldElsewhere -> null
            refusal.isAboutARow() -> defer(schedule, refusal)
            else -> throw refusal
        }
    }

    private fun defer(schedule: UUID, refusal: RunledgerException): SchedulePass? = try {
        fireOne(schedule, refusal)
    } catch (second: RunledgerException) {
        refusal.addSuppressed(second)
        stuck = refusal
        null
    }
}

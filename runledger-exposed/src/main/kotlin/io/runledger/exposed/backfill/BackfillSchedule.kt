package io.runledger.exposed.backfill

import io.runledger.exposed.context.LedgerContext
import io.runledger.exposed.json.storedHeaders
import io.runledger.exposed.operator.ActionDraft
import io.runledger.exposed.operator.Batches
import io.runledger.exposed.operator.RecordActions
import io.runledger.exposed.schedule.StartScheduledRuns
import io.runledger.exposed.schedule.StoredSchedule
import io.runledger.exposed.schedule.named
import io.runledger.exposed.schedule.scheduleNotFound
import io.runledger.exposed.schedule.storedSchedule
import io.runledger.exposed.sql.exception
import io.runledger.exposed.sql.instant
import io.runledger.exposed.sql.row
import io.runledger.exposed.sql.rows
import io.runledger.exposed.sql.scope
import io.runledger.exposed.sql.scoped
import io.runledger.exposed.sql.sparse
import io.runledger.model.error.ErrorCode
import io.runledger.model.ledger.Scope
import io.runledger.model.operator.OperatorActionKind
import io.runledger.model.operator.OperatorTarget
import io.runledger.model.schedule.BackfillPreview
import io.runledger.model.schedule.BackfillReport
import io.runledger.model.schedule.ScheduleKind
import io.runledger.model.text.Text
import io.runledger.model.value.UuidV7
import java.sql.Connection
import java.time.Instant
import java.util.UUID

/**
 * Fires instants of the past, a few hundred per transaction. Each transaction locks the schedule first and then reads which
 * instants were fired meanwhile, so two backfills at the same time fire none twice. If one of them fails, a repetition
 * completes the rest.
 */
internal class BackfillSchedule(private val context: LedgerContext) {
    private val runs = StartScheduledRuns(context)
    private val actions = RecordActions(context)

    fun preview(scope: Scope, name: String, range: BackfillRange, includeFired: Boolean): BackfillPreview =
        plan(scope, name, range, includeFired).preview()

    fun backfill(scope: Scope, name: String, range: BackfillRange, reason: String?, includeFired: Boolean): BackfillReport {
        val work = {
            val plan = plan(scope, name, range, includeFired)
            val total = plan.toFire.size.toLong()
            val draft = ActionDraft(OperatorActionKind.SCHEDULE_BACKFILL, OperatorTarget.schedule(name), reason, scope, total)
            val fired = actions.inBatches(draft, details(range, includeFired)) { batches ->
                Backfill(scope, plan.stored, reason, includeFired, batches).fire(plan.toFire)
            }
            val pending = plan.preview().pending()
            BackfillReport(plan.instants.size, fired, plan.instants.size - pending - fired, pending)
        }
        return if (context.transactions.isJoined) context.transactions.run { work() } else work()
    }

    private fun details(range: BackfillRange, includeFired: Boolean): Map<String, Any?> =
        mapOf("from" to range.from.toString(), "until" to range.until.toString(), "include_fired" to includeFired)

    private fun plan(scope: Scope, name: String, range: BackfillRange, includeFired: Boolean): BackfillPlan =
        context.transactions.snapshot { connection ->
            val stored = connection.row(
                context.statements.scoped("schedule/schedule_get", scope),
                { named(scope, name) },
            ) { storedSchedule() } ?: throw scheduleNotFound(name)
            val instants = range.before(now(connection)).instantsOf(stored)
            BackfillPlan(stored, instants, fired(connection, stored.schedule.id(), instants), includeFired)
        }

    private fun now(connection: Connection): Instant =
        checkNotNull(connection.row(context.statements["schedule/database_now"]) { instant("database_now") })

    private fun fired(connection: Connection, schedule: UUID, instants: List<Instant>): Set<Instant> = if (instants.isEmpty()) {
        emptySet()
    } else {
        connection.rows(
            context.statements["backfill/backfill_fired"],
            {
                instants("instants", instants)
                uuid("schedule_id", schedule)
            },
        ) { instant("scheduled_for") }.toSet()
    }

    private inner class Backfill(
        private val scope: Scope,
        private val planned: StoredSchedule,
        private val reason: String?,
        private val includeFired: Boolean,
        private val batches: Batches,
    ) {
        private val isWorkflow = planned.schedule.kind() == ScheduleKind.WORKFLOW

        /** Returns the number of instants that were fired. */
        fun fire(instants: List<Instant>): Int = instants.chunked(if (isWorkflow) RUNS else JOBS).sumOf { bite ->
            context.transactions.run { connection -> batches.batch(connection) { fire(connection, bite) } }
        }

        private fun fire(connection: Connection, bite: List<Instant>): Int {
            val (stored, now) = lock(connection)
            val fired = fired(connection, stored.schedule.id(), bite)
            val plan = BackfillPlan(stored, bite, fired, includeFired)
            if (plan.toFire.isEmpty()) return 0
            runs.requireEnabled(connection, stored)
            val fires = plan.toFire.map { Fire(it, it in fired) }
            return if (isWorkflow) {
                val started = runs.startPast(connection, stored, fires.associate { it.scheduledFor to it.runKey(stored) })
                write(connection, stored, now, fires.filter { it.scheduledFor in started }, started)
            } else {
                write(connection, stored, now, fires, emptyMap())
            }
        }

        /** The schedule as it is now. Its payload may have changed since the plan, but its instants must be the same. */
        private fun lock(connection: Connection): Pair<StoredSchedule, Instant> {
            val name = planned.schedule.name()
            val (stored, now) = connection.rows(
                context.statements.scoped("schedule/schedule_lock", scope),
                {
                    texts("names", listOf(name))
                    scope(scope)
                },
            ) { storedSchedule() to instant("database_now") }.singleOrNull() ?: throw scheduleNotFound(name)
            if (stored.rhythm != planned.rhythm || stored.schedule.kind() != planned.schedule.kind()) {
                throw ErrorCode.DB_CONTENTION.exception(
                    "The rule of schedule ${Text.quoted(
                        name,
                    )} was changed during the backfill. What was fired stays fired: check " +
                        "the range against the new rule, and try again.",
                )
            }
            return stored to now
        }

        private fun write(
            connection: Connection,
            stored: StoredSchedule,
            now: Instant,
            fires: List<Fire>,
            started: Map<Instant, UUID>,
        ): Int {
            if (fires.isEmpty()) return 0
            return connection.row(
                context.statements["backfill/backfill_write"],
                {
                    uuid("schedule_id", stored.schedule.id())
                    instant("now", now)
                    text("reason", reason?.let(Text::storable))
                    instants("scheduled_for", fires.map { it.scheduledFor })
                    texts("scheduled_for_texts", fires.map { it.scheduledFor.toString() })
                    texts("dedup_keys", fires.map { it.dedupKey(started[it.scheduledFor] ?: it.jobId) })
                    uuids("job_ids", if (isWorkflow) emptyList() else fires.map { it.jobId })
                    uuids("run_ids", fires.sparse { started[it.scheduledFor] })
                    jsons("headers", fires.sparse { if (isWorkflow) null else stored.fireHeaders(context).storedHeaders() })
                },
            ) { getInt("fires") } ?: 0
        }
    }

    /** An instant to be fired; [isAgain] if it was fired before. */
    private class Fire(val scheduledFor: Instant, private val isAgain: Boolean) {
        val jobId: UUID = UuidV7.next()

        /** The run of an instant that was never fired has the key that the schedule itself would use. */
        fun runKey(stored: StoredSchedule): String {
            val key = StartScheduledRuns.keyOf(stored.schedule.id(), scheduledFor)
            return if (isAgain) "$key/again/$jobId" else key
        }

        fun dedupKey(id: UUID): String = if (isAgain) id.toString() else ""
    }

    private companion object {
        /** The instants of a transaction. A run has several rows. */
        const val JOBS = 500
        const val RUNS = 100
    }
}
